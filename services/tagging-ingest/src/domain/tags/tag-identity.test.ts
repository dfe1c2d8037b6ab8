import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeIdentity, epcIdentity, lookupKeys, unknownKey } from "./tag-identity.ts";

const hexDigit = fc.constantFrom(..."0123456789abcdefABCDEF");
const hex = (minLength: number, maxLength: number) => fc.string({ unit: hexDigit, minLength, maxLength });
const uid = fc
  .tuple(fc.array(hex(2, 2), { minLength: 4, maxLength: 10 }), fc.constantFrom(":", "-", " "))
  .map(([bytes, separator]) => bytes.join(separator));

describe("tag identities", () => {
  it("are equal for the different forms of the same tag", () => {
    expect(epcIdentity(" 3074257bf7194e4000001a85 ")?.key).toBe(
      epcIdentity("urn:epc:id:sgtin:0614141.812345.6789")?.key,
    );
    expect(codeIdentity("04:a2:2b:91:6c:51:80", "nfc")).toEqual(codeIdentity("04A22B916C5180", "nfc"));
    expect(codeIdentity(" Cafe\u0301 ", "qr")?.code).toBe("Caf\u00e9");
  });

  it("keep the case of printed codes, because a QR code may be a URL", () => {
    expect(codeIdentity("https://x.example/A", "qr")?.key).not.toBe(
      codeIdentity("https://x.example/a", "qr")?.key,
    );
  });

  it("are different for an EPC and a code with the same text", () => {
    expect(epcIdentity("3034")?.key).not.toBe(codeIdentity("3034", "qr")?.key);
  });

  it("a text is looked up as an EPC, then as a code, then as an NFC UID", () => {
    const gtin = "urn:epc:id:sgtin:0614141.812345.6789";
    expect(lookupKeys(gtin)[0]).toBe(epcIdentity("3074257BF7194E4000001A85")?.key);
    expect(lookupKeys(" 04:a2:2b:91 ")).toEqual(["code:04:a2:2b:91", "nfc:04A22B91"]);
    expect(lookupKeys("04a22b91")).toEqual(["epc:04A22B91", "code:04a22b91", "nfc:04A22B91"]);
    expect(lookupKeys("AST-000042")).toEqual(["code:AST-000042"]);
    expect(lookupKeys("\u0000")).toEqual([]);
  });

  it("texts without a tag have one key if they mean the same tag", () => {
    const epc = epcIdentity("3074257BF7194E4000001A85")?.key;
    for (const text of ["3074257bf7194e4000001a85", "urn:epc:id:sgtin:0614141.812345.6789"])
      expect(unknownKey(text)).toBe(epc);
    expect(unknownKey("04:a2:2b:91")).toBe(unknownKey("04A22B91"));
    expect(unknownKey("04-a2-2b-91-6c-51-80")).toBe(unknownKey("04A22B916C5180"));
    expect(unknownKey(" AST-000042 ")).toBe("code:AST-000042");
    expect(unknownKey("\u0000")).toBeUndefined();
  });

  it("each tag is found by the texts that it was commissioned with, and by its own text", () => {
    const code = fc.oneof(fc.string({ maxLength: 300 }), hex(0, 24), uid);
    const type = fc.constantFrom("qr" as const, "barcode" as const, "nfc" as const);
    fc.assert(
      fc.property(code, type, (text, kind) => {
        const identity = codeIdentity(text, kind);
        if (identity === undefined) return;
        expect(lookupKeys(text)).toContain(identity.key);
        expect(lookupKeys(identity.code ?? "")).toEqual(identity.lookupKeys);
        expect(identity.lookupKeys).toContain(identity.key);
      }),
    );
  });

  it("two tags that one text may mean know each other: one has the key of the other among its own", () => {
    const text = fc.oneof(hex(8, 20), uid);
    const change = fc.constantFrom(
      (one: string) => one,
      (one: string) => one.toUpperCase(),
      (one: string) => one.replace(/[:\- ]/g, ""),
    );
    const identities = (one: string) => [
      ...[epcIdentity(one), codeIdentity(one, "qr"), codeIdentity(one, "nfc")].flatMap((each) => each ?? []),
    ];
    fc.assert(
      fc.property(text, change, change, (one, changed, other) => {
        const meant = lookupKeys(one);
        const [left, right] = [identities(changed(one)), identities(other(one))];
        for (const a of left) {
          for (const b of right) {
            if (!meant.includes(a.key) || !meant.includes(b.key)) continue;
            expect(a.lookupKeys.includes(b.key) || b.lookupKeys.includes(a.key)).toBe(true);
          }
        }
      }),
    );
  });

  it("are undefined for empty texts, control characters, too long codes and texts that are not an EPC", () => {
    for (const text of ["", "   ", "a\u0000b", "x".repeat(257)])
      expect(codeIdentity(text, "barcode")).toBeUndefined();
    expect(epcIdentity("AST-000042")).toBeUndefined();
  });
});
