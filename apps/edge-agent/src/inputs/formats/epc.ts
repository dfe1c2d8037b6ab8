const EPC = /^(?:[0-9A-F]{4}){1,31}$/;
const PREFIX = /^(?:0x|urn:epc:raw:\d+[.]x)/i;
const SEPARATORS = /[\s:-]/g;

/**
 * An EPC as the platform takes it: hex in upper case, 4 to 124 digits in multiples of 4. Separators between the bytes and
 * the prefixes `0x` and `urn:epc:raw:96.x` are removed. Returns undefined for anything else.
 */
export function parseEpc(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const epc = value.trim().replace(PREFIX, "").replace(SEPARATORS, "").toUpperCase();
  return EPC.test(epc) ? epc : undefined;
}

/** Names a value in a message of bounded length, for the list of what was not understood. */
export function noEpc(value: unknown): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? typeof value);
  return `An EPC of 4 to 124 hex digits in multiples of 4 is expected, not ${text.slice(0, 60)}.`;
}
