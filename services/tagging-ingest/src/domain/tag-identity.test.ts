import { describe, expect, it } from "vitest";
import { codeIdentity, epcIdentity } from "./tag-identity.ts";

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

  it("are undefined for empty texts, control characters, too long codes and texts that are not an EPC", () => {
    for (const text of ["", "   ", "a\u0000b", "x".repeat(257)])
      expect(codeIdentity(text, "barcode")).toBeUndefined();
    expect(epcIdentity("AST-000042")).toBeUndefined();
  });
});
