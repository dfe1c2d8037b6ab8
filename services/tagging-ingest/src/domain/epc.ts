import { identityOf } from "./epc-schemes.ts";
import { epcFromUri } from "./epc-uri.ts";

const HEX = /^(?:[0-9A-Fa-f]{4}){1,31}$/;

/**
 * A tag's electronic product code in its one form: upper-case hex, from hex
 * (4 to 124 digits in multiples of 4) or an EPC URI (urn:epc:id:, urn:epc:tag:,
 * urn:epc:raw:). Undefined when it is neither.
 */
export function parseEpc(text: string): string | undefined {
  if (HEX.test(text)) return text.toUpperCase();
  return text.startsWith("urn:epc:") ? epcFromUri(text) : undefined;
}

/**
 * What two encodings of one GS1 identity have in common: the code with its
 * filter bits cleared where its scheme is known, the code itself otherwise.
 * A pure identity (urn:epc:id:) says nothing of the filter, and a reader reads
 * whatever filter the printer wrote; tags are matched on this.
 */
export function epcKey(epc: string): string {
  if (identityOf(epc) === undefined) return epc;
  // Bits 8 to 10 are the filter: the high three of the third digit.
  const third = Number.parseInt(epc.charAt(2), 16) & 0b0001;
  return `${epc.slice(0, 2)}${third.toString(16).toUpperCase()}${epc.slice(3)}`;
}
