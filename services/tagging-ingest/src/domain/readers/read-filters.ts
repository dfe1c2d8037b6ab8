import type { FieldViolation } from "@asset-register/runtime";

/** Tells reads by the first bits of their EPC. */
export type ReadFilter = {
  action: "accept" | "ignore";
  /** Upper-case hex. */
  prefix: string;
  /** So many bits of the prefix are compared. Absent: all. */
  bits?: number | undefined;
};

/** Whether a read with this EPC is taken. */
export type TakesEpc = (epc: string) => boolean;

const BITS_A_DIGIT = 4;

/** The filters whose bits are more than those of their prefix, by their paths in HTTP. */
export function filterViolations(filters: readonly ReadFilter[] = []): FieldViolation[] {
  return filters.flatMap(({ prefix, bits = 0 }, at) => {
    const most = BITS_A_DIGIT * prefix.length;
    if (bits <= most) return [];
    return [{ field: `filters.${at}.bits`, message: `must be at most ${most}, the bits of the prefix` }];
  });
}

/**
 * The rule of filters in their order: the first one that matches decides. With any `accept`, an EPC that none matches is
 * ignored. Undefined: all are taken.
 */
export function takesBy(filters: readonly ReadFilter[]): TakesEpc | undefined {
  if (filters.length === 0) return undefined;
  const rules = filters.map((filter) => ({
    accepts: filter.action === "accept",
    matches: matcherOf(filter),
  }));
  const otherwise = !rules.some(({ accepts }) => accepts);
  return (epc) => rules.find(({ matches }) => matches(epc))?.accepts ?? otherwise;
}

/** This is the hot path of reads: whole digits are compared as text, the bits after them as a number. */
function matcherOf({ prefix, bits = BITS_A_DIGIT * prefix.length }: ReadFilter): TakesEpc {
  const digits = Math.floor(bits / BITS_A_DIGIT);
  const head = prefix.slice(0, digits);
  const unused = BITS_A_DIGIT - (bits % BITS_A_DIGIT);
  if (unused === BITS_A_DIGIT) return (epc) => epc.startsWith(head);
  const highBits = (text: string) => Number.parseInt(text.charAt(digits), 16) >> unused;
  const wanted = highBits(prefix);
  return (epc) => epc.length > digits && epc.startsWith(head) && highBits(epc) === wanted;
}

/** A filter as a text, for the audit log. */
export const filterText = ({ action, prefix, bits }: ReadFilter): string =>
  `${action} ${prefix}${bits === undefined ? "" : `/${bits}`}`;
