import fc from "fast-check";
import { expect, test } from "vitest";
import { noEpc, parseEpc } from "./epc.ts";

test("an EPC is hex in upper case, whatever separates its bytes", () => {
  expect(parseEpc("303435fc8803d056d15b963f")).toBe("303435FC8803D056D15B963F");
  expect(parseEpc(" 30-34-35-FC:88:03 d0 56 d1 5b 96 3f\n")).toBe("303435FC8803D056D15B963F");
  expect(parseEpc("0x3034")).toBe("3034");
  expect(parseEpc("urn:epc:raw:96.x303435FC8803D056D15B963F")).toBe("303435FC8803D056D15B963F");
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
