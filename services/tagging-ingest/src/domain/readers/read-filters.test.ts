import fc from "fast-check";
import { expect, it } from "vitest";
import { filterText, filterViolations, type ReadFilter, takesBy } from "./read-filters.ts";

const hex = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789ABCDEF"), minLength, maxLength });
/** Few digits, so that many match. */
const epcs = fc.string({ unit: fc.constantFrom("0", "3", "7", "F"), minLength: 4, maxLength: 8 });
const filter: fc.Arbitrary<ReadFilter> = fc
  .tuple(fc.constantFrom("accept", "ignore"), epcs, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean())
  .map(([action, prefix, part, isWhole]) => ({
    ...{ action, prefix },
    bits: isWhole ? undefined : Math.max(1, Math.round(part * 4 * prefix.length)),
  }));

const binary = (digits: string) =>
  [...digits].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
const matches = (epc: string, { prefix, bits = 4 * prefix.length }: ReadFilter) =>
  binary(epc).startsWith(binary(prefix).slice(0, bits));

it("the first filter that matches decides; with any accept, an EPC that none matches is ignored", () => {
  fc.assert(
    fc.property(epcs, fc.array(filter, { minLength: 1, maxLength: 6 }), (epc, filters) => {
      const decides = filters.find((one) => matches(epc, one));
      const taken = decides
        ? decides.action === "accept"
        : filters.every(({ action }) => action === "ignore");
      expect(takesBy(filters)?.(epc)).toBe(taken);
    }),
    { numRuns: 2_000 },
  );
});

it("an EPC that is shorter than the bits of a filter does not match it", () => {
  fc.assert(
    fc.property(hex(4, 12), hex(1, 4), fc.integer({ min: 1, max: 4 }), (epc, more, bits) => {
      const longer = { action: "ignore", prefix: epc + more, bits: 4 * epc.length + bits } as const;
      expect(takesBy([longer])?.(epc)).toBe(true);
    }),
  );
});

it("a filter that is added at the end changes nothing for an EPC that one before it matches", () => {
  fc.assert(
    fc.property(epcs, fc.array(filter, { minLength: 1, maxLength: 4 }), filter, (epc, filters, last) => {
      fc.pre(filters.some((one) => matches(epc, one)));
      expect(takesBy([...filters, last])?.(epc)).toBe(takesBy(filters)?.(epc));
    }),
  );
});

it("without filters all reads are taken", () => {
  expect(takesBy([])).toBeUndefined();
});

it("bits are at most those of the prefix", () => {
  const by = (prefix: string, bits?: number): ReadFilter => ({ action: "accept", prefix, bits });
  expect(filterViolations([by("30", 8), by("3", 5), by("30")])).toMatchObject([{ field: "filters.1.bits" }]);
  expect(filterViolations()).toEqual([]);
});

it("the audit log gets a filter as a text", () => {
  const filters = [
    { action: "accept", prefix: "30", bits: 6 },
    { action: "ignore", prefix: "E2" },
  ] as const;
  expect(filters.map(filterText)).toEqual(["accept 30/6", "ignore E2"]);
});
