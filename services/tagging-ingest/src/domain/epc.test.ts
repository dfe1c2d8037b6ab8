import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { epcKey, parseEpc } from "./epc.ts";
import { encodeIdentity, identityOf } from "./epc-schemes.ts";

const hexEpc = fc
  .integer({ min: 1, max: 31 })
  .chain((words) =>
    fc
      .array(fc.constantFrom(..."0123456789abcdefABCDEF"), { minLength: words * 4, maxLength: words * 4 })
      .map((digits) => digits.join("")),
  );

// Examples of the GS1 EPC Tag Data Standard.
const published = [
  ["urn:epc:tag:sgtin-96:3.0614141.812345.6789", "3074257BF7194E4000001A85"],
  ["urn:epc:tag:grai-96:3.0614141.12345.400", "3374257BF40C0E4000000190"],
  ["urn:epc:tag:giai-96:3.0614141.5678", "3474257BF40000000000162E"],
] as const;

describe("parseEpc", () => {
  it("upper-cases hex of 4 to 124 digits in multiples of 4, and refuses other hex", () => {
    fc.assert(
      fc.property(hexEpc, (text) => {
        expect(parseEpc(text)).toBe(text.toUpperCase());
      }),
    );
    for (const text of ["", "303", "30343", "0".repeat(128), "30G4", " 3034", "3034\n"]) {
      expect(parseEpc(text), text).toBeUndefined();
    }
  });

  it("encodes the examples of the standard, which printers and readers implement", () => {
    for (const [uri, hex] of published) expect(parseEpc(uri), uri).toBe(hex);
    expect(parseEpc("urn:epc:raw:96.x3074257bf7194e4000001a85")).toBe("3074257BF7194E4000001A85");
  });

  it("refuses URIs of other schemes, and parts that are too long for 96 bits", () => {
    for (const uri of [
      "urn:epc:tag:sgtin-96:8.0614141.812345.6789",
      "urn:epc:tag:sgtin-96:3.0614141.81234.6789",
      "urn:epc:id:sgtin:0614141.812345.274877906944",
      "urn:epc:id:sgtin:0614141.812345.32a",
      "urn:epc:id:sgtin:0614141.812345.007",
      "urn:epc:id:sscc:0614141.1234567890",
      "urn:epc:raw:96.x3074",
      "urn:epc:id:giai:0614141",
    ]) {
      expect(parseEpc(uri), uri).toBeUndefined();
    }
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => void parseEpc(`urn:epc:id:sgtin:${text}`)));
  });
});

describe("identityOf", () => {
  it("returns the identity that was encoded, for any identity of 96 bits", () => {
    const identity = fc.integer({ min: 6, max: 12 }).chain((companyDigits) =>
      fc.record({
        scheme: fc.constantFrom("sgtin" as const, "grai" as const, "giai" as const),
        filter: fc.nat(7),
        companyPrefix: digits(companyDigits),
        sgtin: digits(13 - companyDigits),
        grai: digits(12 - companyDigits),
        serial: fc.nat(2 ** 30).map(String),
      }),
    );
    fc.assert(
      fc.property(identity, ({ scheme, filter, companyPrefix, sgtin, grai, serial }) => {
        const reference = { sgtin, grai, giai: "" }[scheme];
        const wanted = { scheme, filter, companyPrefix, reference, serial };
        expect(identityOf(encodeIdentity(wanted)!)).toEqual(wanted);
      }),
    );
  });

  it("returns undefined for unknown headers and impossible partitions", () => {
    expect(identityOf("E28011700000020B5F8D1A3C")).toBeUndefined();
    expect(identityOf("301C257BF7194E4000001A85")).toBeUndefined();
    expect(identityOf("3034")).toBeUndefined();
  });
});

describe("epcKey", () => {
  it("is equal for a pure identity and the same identity with any filter", () => {
    const pure = parseEpc("urn:epc:id:sgtin:0614141.812345.6789")!;
    for (let filter = 0; filter < 8; filter++) {
      const tag = parseEpc(`urn:epc:tag:sgtin-96:${filter}.0614141.812345.6789`)!;
      expect(epcKey(tag)).toBe(epcKey(pure));
      expect(identityOf(tag)).toEqual({ ...identityOf(pure), filter });
    }
  });

  it("is the code itself for raw codes", () => {
    fc.assert(
      fc.property(hexEpc, (text) => {
        const epc = parseEpc(text)!;
        if (identityOf(epc) === undefined) expect(epcKey(epc)).toBe(epc);
      }),
    );
  });
});

function digits(count: number) {
  return fc
    .array(fc.constantFrom(..."0123456789"), { minLength: count, maxLength: count })
    .map((all) => all.join(""));
}
