import fc from "fast-check";
import { expect, test } from "vitest";
import { noEpc, parseEpc } from "./epc.ts";

test("an EPC is hex in upper case, whatever separates its bytes", () => {
  expect(parseEpc("303435fc8803d056d15b963f")).toBe("303435FC8803D056D15B963F");
  expect(parseEpc(" 30-34-35-FC:88:03 d0 56 d1 5b 96 3f\n")).toBe("303435FC8803D056D15B963F");
  expect(parseEpc("0x3034")).toBe("3034");
});

test("an EPC URI is the code that the platform makes of it: of a tag, raw, or a pure identity with filter 0", () => {
  expect(parseEpc("urn:epc:raw:96.x303435FC8803D056D15B963F")).toBe("303435FC8803D056D15B963F");
  expect(parseEpc("URN:EPC:raw:96.x303435fc8803d056d15b963f\n")).toBe("303435FC8803D056D15B963F");
  expect(parseEpc("urn:epc:tag:sgtin-96:3.0614141.812345.6789")).toBe("3074257BF7194E4000001A85");
  expect(parseEpc("urn:epc:tag:giai-96:3.0614141.5678")).toBe("3474257BF40000000000162E");
  expect(parseEpc("urn:epc:id:sgtin:0614141.812345.6789")).toBe("3014257BF7194E4000001A85");
});

test("a URI that says other bits than it has, of another scheme, or a Digital Link, is no EPC", () => {
  const wrong = [
    "urn:epc:raw:96.x3034",
    "urn:epc:raw:96.5",
    "urn:epc:tag:sgtin-96:9.0614141.812345.6789",
    "urn:epc:tag:gid-96:31415.271828.1414",
    "https://id.gs1.org/01/10614141123459/21/6789",
  ];
  for (const value of wrong) expect(parseEpc(value), value).toBeUndefined();
});

test("text of a wrong length or with other characters is no EPC", () => {
  const wrong = [
    "",
    "30",
    "30343",
    "303435",
    "X034",
    "é034",
    "0x",
    "30".repeat(64),
    null,
    undefined,
    3034,
    {},
  ];
  for (const value of wrong) expect(parseEpc(value), String(value)).toBeUndefined();
});

test("any bytes of 2 to 62 in pairs are an EPC, and any value at all is either one or has a short reason", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 31 }), (words) => {
      const hex = Buffer.from([...words, ...words]).toString("hex");
      expect(parseEpc(hex)).toBe(hex.toUpperCase());
    }),
  );
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(parseEpc(value) ?? "0000").toMatch(/^[0-9A-F]{4,124}$/);
    }),
  );
  fc.assert(fc.property(fc.jsonValue(), (value) => noEpc(value).length < 200));
});
