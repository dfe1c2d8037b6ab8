import fc from "fast-check";
import { expect, test } from "vitest";
import { normaliseCode, normaliseEpc } from "./tag-text.ts";

test("a code is trimmed and in NFC, and keeps its case", () => {
  expect(normaliseCode("  Cafe\u0301-1\r\n")).toBe("code:Café-1");
  expect(normaliseCode("https://example.com/a?b=C")).toBe("code:https://example.com/a?b=C");
  for (const text of ["", "  ", "a\u0007b", "x".repeat(257)]) expect(normaliseCode(text)).toBeUndefined();
});

test("an EPC is hex in upper case, or a URI as sent", () => {
  expect(normaliseEpc(" 303435fc8803d056d15b963f ")).toBe("epc:303435FC8803D056D15B963F");
  expect(normaliseEpc("urn:epc:id:sgtin:0614141.107346.2017")).toBe(
    "epc:urn:epc:id:sgtin:0614141.107346.2017",
  );
  for (const text of ["", "abc", "xyzw", "urn:epc:", "urn:epc:pat:x", "urn:epc:id:a b", "A".repeat(128)]) {
    expect(normaliseEpc(text)).toBeUndefined();
  }
});

test("normalising again changes nothing; a code and an EPC are never equal", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[0-9a-fA-F]{4,24}$/));
  fc.assert(
    fc.property(text, (sent) => {
      for (const normalise of [normaliseCode, normaliseEpc]) {
        const once = normalise(sent);
        if (once !== undefined) expect(normalise(once.slice(once.indexOf(":") + 1))).toBe(once);
      }
      const [code, epc] = [normaliseCode(sent), normaliseEpc(sent)];
      if (code !== undefined) expect(code).not.toBe(epc);
    }),
  );
});
