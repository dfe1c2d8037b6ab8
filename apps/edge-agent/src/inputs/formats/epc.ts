import { parseEpc as parseEpcText } from "@asset-register/epc";

const EPC = /^(?:[0-9A-F]{4}){1,31}$/;
const SEPARATORS = /[\s:-]/g;
/** The scheme and the namespace of a URN have no case. */
const URN = /^urn:epc:/i;

/**
 * An EPC as the platform takes it: hex in upper case, 4 to 124 digits in multiples of 4. Separators between the bytes and
 * the prefix `0x` are removed. An EPC URI becomes its code, as at the platform. Returns undefined for anything else.
 */
export function parseEpc(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  // Nearly all readers send it so.
  if (EPC.test(value)) return value;
  const text = value.trim();
  if (URN.test(text)) return parseEpcText(text.replace(URN, "urn:epc:"));
  return parseEpcText(text.replace(/^0x/i, "").replace(SEPARATORS, ""));
}

/** Names a value in a message of bounded length, for the list of what was not understood. */
export function noEpc(value: unknown): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? typeof value);
  return `An EPC of 4 to 124 hex digits in multiples of 4, or an EPC URI, is expected, not ${text.slice(0, 60)}.`;
}
