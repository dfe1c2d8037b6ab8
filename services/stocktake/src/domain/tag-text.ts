import { limits } from "@asset-register/proto/limits";

/** As in tagging-ingest: 4 to 124 digits in multiples of 4. */
const HEX = /^(?:[0-9A-Fa-f]{4}){1,31}$/;
const URI = /^urn:epc:(?:id|tag|raw):[\x21-\x7e]+$/;
/** No tag has control characters: they can't be typed. */
const CONTROL = /\p{Cc}/u;

/** `code:` and the text of a code, trimmed and in NFC. Undefined if it is no code. */
export function normaliseCode(text: string): string | undefined {
  const code = text.normalize("NFC").trim();
  return code === "" || text.length > limits.tagCode || CONTROL.test(code) ? undefined : `code:${code}`;
}

/** `epc:` and an EPC: hex in upper case, a URI as it is. Undefined if it is neither. */
export function normaliseEpc(text: string): string | undefined {
  const epc = text.normalize("NFC").trim();
  if (text.length > limits.tagCode) return undefined;
  if (HEX.test(epc)) return `epc:${epc.toUpperCase()}`;
  return URI.test(epc) ? `epc:${epc}` : undefined;
}
