import { limits } from "@asset-register/proto/limits";
import { epcKey, parseEpc } from "./epc.ts";

/** An RFID tag has an EPC, the other types have a code. */
export type TagType = "qr" | "barcode" | "rfid" | "nfc";

/** The normalised identifier of a tag, and its key, which is unique in a workspace. */
export type TagIdentity = {
  type: TagType;
  epc?: string | undefined;
  code?: string | undefined;
  key: string;
};

const NFC_UID = /^(?:[0-9A-Fa-f]{2}[:\- ]?){4,10}$/;
/** Control characters. Some scanners send them, and they can't be typed. */
const CONTROL = /\p{Cc}/u;

/** The key of a tag with this EPC. */
export function tagKey(epc: string): string {
  return `epc:${epcKey(epc)}`;
}

/** The identity of an RFID tag. Undefined when the text is not an EPC. */
export function epcIdentity(text: string): TagIdentity | undefined {
  const epc = parseEpc(text.trim());
  return epc === undefined ? undefined : { type: "rfid", epc, key: tagKey(epc) };
}

/**
 * The identity of a tag with a code: trimmed, in Unicode NFC, at most limits.tagCode characters. The case stays,
 * because a QR code may be a URL. An NFC UID is upper-case hex without separators. Undefined when the code is not valid.
 */
export function codeIdentity(text: string, type: Exclude<TagType, "rfid">): TagIdentity | undefined {
  let code = text.normalize("NFC").trim();
  if (type === "nfc" && NFC_UID.test(code)) code = code.replace(/[:\- ]/g, "").toUpperCase();
  if (code === "" || code.length > limits.tagCode || CONTROL.test(code)) return undefined;
  return { type, code, key: `code:${code}` };
}
