import { identityOf } from "./epc-schemes.ts";
import { epcFromUri } from "./epc-uri.ts";

const HEX = /^(?:[0-9A-Fa-f]{4}){1,31}$/;

/**
 * The electronic product code of a tag in its canonical form: upper-case hex. The text is hex (4 to 124 digits in
 * multiples of 4) or an EPC URI (urn:epc:id:, urn:epc:tag:, urn:epc:raw:). Undefined when it is neither.
 */
export function parseEpc(text: string): string | undefined {
  if (HEX.test(text)) return text.toUpperCase();
  return text.startsWith("urn:epc:") ? epcFromUri(text) : undefined;
}

/**
 * The key that tags are matched by: the code without its filter bits when its scheme is known, otherwise the code
 * itself. A pure identity (urn:epc:id:) has no filter, but the printer writes some filter to the tag.
 */
export function epcKey(epc: string): string {
  if (identityOf(epc) === undefined) return epc;
  // Bits 8 to 10 are the filter: the three high bits of the third digit.
  const third = Number.parseInt(epc.charAt(2), 16) & 0b0001;
  return `${epc.slice(0, 2)}${third.toString(16).toUpperCase()}${epc.slice(3)}`;
}

/** All codes with the key of this one: one for each value of the filter if the scheme is known. */
export function sameKeyEpcs(epc: string): string[] {
  if (identityOf(epc) === undefined) return [epc];
  const lowest = Number.parseInt(epc.charAt(2), 16) & 0b0001;
  return Array.from({ length: 8 }, (_, filter) => {
    const third = (filter << 1) | lowest;
    return `${epc.slice(0, 2)}${third.toString(16).toUpperCase()}${epc.slice(3)}`;
  });
}
