import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { epcKey, parseEpc, sameKeyEpcs } from "./epc.ts";
import { encodeIdentity, type GsIdentity, type GsScheme, identityOf } from "./epc-schemes.ts";

const hexEpc = fc
  .integer({ min: 1, max: 31 })
  .chain((words) =>
    fc
      .array(fc.constantFrom(..."0123456789abcdefABCDEF"), { minLength: words * 4, maxLength: words * 4 })
      .map((digits) => digits.join("")),
  );

// Examples that the GS1 EPC Tag Data Standard and its implementations publish. A tag stores whole words of 16 bits.
const published = [
  ["urn:epc:tag:sgtin-96:3.0614141.812345.6789", "3074257BF7194E4000001A85"],
  ["urn:epc:tag:sgtin-198:3.0614141.712345.32a%2Fb", "3674257BF6B7A659B2C2BF1000000000000000000000000000"],
  ["urn:epc:tag:sscc-96:3.0614141.1234567890", "3174257BF4499602D2000000"],
  ["urn:epc:tag:sgln-96:3.0614141.12345.5678", "3274257BF46072000000162E"],
  ["urn:epc:tag:sgln-195:3.0614141.12345.32a%2Fb", "3974257BF46072CD9615F8800000000000000000000000000"],
  ["urn:epc:tag:grai-96:3.0614141.12345.5678", "3374257BF40C0E400000162E"],
  ["urn:epc:tag:grai-170:3.0614141.12345.32a%2Fb", "3774257BF40C0E59B2C2BF1000000000000000000000"],
  ["urn:epc:tag:giai-96:3.0614141.5678", "3474257BF40000000000162E"],
  ["urn:epc:tag:giai-202:3.0614141.32a%2Fb", "3874257BF59B2C2BF100000000000000000000000000000000"],
] as const;

const inWords = (hex: string) => hex.padEnd(Math.ceil(hex.length / 4) * 4, "0");

const digits = (count: number) => textOf("0123456789", count, count);

function textOf(characters: string, minLength: number, maxLength: number) {
  return fc.array(fc.constantFrom(...characters), { minLength, maxLength }).map((all) => all.join(""));
}

const SERIAL_CHARACTERS = `!"%&'()*+,-./0123456789:;<=>?ABCXYZ_abcxyz`;
const TEXT_CODINGS = [
  { scheme: "sgtin", bits: 198, digits: 13, most: () => 20 },
  { scheme: "sgln", bits: 195, digits: 12, most: () => 20 },
  { scheme: "grai", bits: 170, digits: 12, most: () => 16 },
  { scheme: "giai", bits: 202, digits: undefined, most: (company: number) => 30 - company },
] as const;
const NUMBER_CODINGS = [
  { scheme: "sgtin", bits: 96, digits: 13 },
  { scheme: "sgln", bits: 96, digits: 12 },
  { scheme: "grai", bits: 96, digits: 12 },
  { scheme: "giai", bits: 96, digits: undefined },
  { scheme: "sscc", bits: 96, digits: 17 },
] as const;

/** Any identity of any coding, in all its parts. */
const identity = fc.integer({ min: 6, max: 12 }).chain((company) => {
  const parts = <T extends { scheme: GsScheme; bits: number; digits: number | undefined }>(coding: T) => ({
    ...{ scheme: fc.constant(coding.scheme), bits: fc.constant(coding.bits), filter: fc.nat(7) },
    companyPrefix: digits(company),
    reference: digits(coding.digits === undefined ? 0 : coding.digits - company),
  });
  const withText = fc.constantFrom(...TEXT_CODINGS).chain((coding) => {
    const serial = textOf(SERIAL_CHARACTERS, 1, coding.most(company));
    return fc.record({ ...parts(coding), serial });
  });
  const withNumber = fc.constantFrom(...NUMBER_CODINGS).chain((coding) => {
    const number = fc.bigInt({ min: 0n, max: 2n ** 38n - 1n }).map(String);
    return fc.record({ ...parts(coding), serial: coding.scheme === "sscc" ? fc.constant("") : number });
  });
  return fc.oneof(withText, withNumber);
});

function uriOf({ scheme, bits, filter, companyPrefix, reference, serial }: GsIdentity): string {
  const escaped = serial.replace(/["%&/<>?]/g, encodeURIComponent);
  const parts = { sscc: [reference], giai: [escaped] }[scheme as string] ?? [reference, escaped];
  return `urn:epc:tag:${scheme}-${bits}:${[filter, companyPrefix, ...parts].join(".")}`;
}

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
    for (const [uri, hex] of published) {
      expect(parseEpc(uri), uri).toBe(inWords(hex));
      expect(identityOf(inWords(hex)), uri).toMatchObject({ filter: 3, companyPrefix: "0614141" });
    }
    expect(parseEpc("urn:epc:raw:96.x3074257bf7194e4000001a85")).toBe("3074257BF7194E4000001A85");
  });

  it("a pure identity gets the shortest code that it fits", () => {
    for (const [id, tag] of [
      ["sgtin:0614141.812345.6789", "sgtin-96:0.0614141.812345.6789"],
      ["sgtin:0614141.812345.007", "sgtin-198:0.0614141.812345.007"],
      ["sgtin:0614141.812345.274877906944", "sgtin-198:0.0614141.812345.274877906944"],
      ["sgln:061414112345..0", "sgln-96:0.061414112345..0"],
      ["grai:0614141.12345.a.b", "grai-170:0.0614141.12345.a.b"],
      ["giai:0614141.007", "giai-202:0.0614141.007"],
    ]) {
      expect(parseEpc(`urn:epc:id:${id}`), id).toBeDefined();
      expect(parseEpc(`urn:epc:id:${id}`), id).toBe(parseEpc(`urn:epc:tag:${tag}`));
    }
  });

  it("refuses URIs of other schemes and lengths, parts that are too long, and wrong escapes", () => {
    for (const uri of [
      "urn:epc:tag:sgtin-96:8.0614141.812345.6789",
      "urn:epc:tag:sgtin-96:3.0614141.81234.6789",
      "urn:epc:tag:sgtin-96:3.0614141.812345.007",
      "urn:epc:tag:sgtin-170:3.0614141.812345.6789",
      "urn:epc:id:sgtin-96:0614141.812345.6789",
      "urn:epc:id:sgtin:0614141.812345.123456789012345678901",
      "urn:epc:id:sgtin:0614141.812345.32a/b",
      "urn:epc:id:sgtin:0614141.812345.32a%2",
      "urn:epc:id:sgtin:0614141.812345.32%41",
      "urn:epc:id:sgtin:0614141.812345.\u00e9",
      "urn:epc:id:sscc:0614141.123456789",
      "urn:epc:id:sscc:0614141.1234567890.1",
      "urn:epc:id:gid:31415.271828.1414",
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
  it("returns the identity that was encoded, for any identity of any coding", () => {
    fc.assert(
      fc.property(identity, (wanted) => {
        const code = encodeIdentity(wanted)!;
        expect(code).toMatch(/^(?:[0-9A-F]{4})+$/);
        expect(identityOf(code)).toEqual(wanted);
        // A URI of this coding has the same code.
        expect(parseEpc(uriOf(wanted))).toBe(code);
      }),
    );
  });

  it("finds an identity only in codes that it would write", () => {
    const coded = fc
      .tuple(
        fc.constantFrom("30", "31", "32", "33", "34", "36", "37", "38", "39"),
        fc.constantFrom(24, 44, 52),
      )
      .chain(([header, digits]) =>
        fc
          .array(fc.constantFrom(..."0123456789ABCDEF"), { minLength: digits - 2, maxLength: digits - 2 })
          .map((rest) => header + rest.join("")),
      );
    fc.assert(
      fc.property(coded, (code) => {
        const found = identityOf(code);
        if (found !== undefined) expect(encodeIdentity(found)).toBe(code);
      }),
    );
  });

  it("returns undefined for unknown headers and impossible partitions", () => {
    expect(identityOf("E28011700000020B5F8D1A3C")).toBeUndefined();
    expect(identityOf("301C257BF7194E4000001A85")).toBeUndefined();
    expect(identityOf("3034")).toBeUndefined();
    // The length of another coding, reserved bits of an SSCC, and text after its end.
    expect(identityOf("3674257BF7194E4000001A85")).toBeUndefined();
    expect(identityOf("3174257BF4499602D2000001")).toBeUndefined();
    expect(identityOf("3774257BF40C0E59B2C2BF1000000000000000000040")).toBeUndefined();
  });
});

describe("sameKeyEpcs", () => {
  it("has the 8 codes of a coding that differ in the filter, and only a raw code itself", () => {
    fc.assert(
      fc.property(identity, fc.nat(7), (one, filter) => {
        const epcs = sameKeyEpcs(encodeIdentity(one)!);
        expect(epcs).toContain(encodeIdentity({ ...one, filter }));
        expect(new Set(epcs.map(epcKey)).size).toBe(1);
        expect(new Set(epcs).size).toBe(8);
      }),
    );
    expect(sameKeyEpcs("FFFF0000")).toEqual(["FFFF0000"]);
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

  it("ignores the filter in every coding, and nothing else", () => {
    fc.assert(
      fc.property(identity, fc.nat(7), identity, (one, filter, other) => {
        const key = epcKey(encodeIdentity(one)!);
        expect(epcKey(encodeIdentity({ ...one, filter })!)).toBe(key);
        const isSame = encodeIdentity({ ...other, filter: one.filter }) === encodeIdentity(one);
        expect(epcKey(encodeIdentity(other)!) === key).toBe(isSame);
      }),
    );
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
