import { limits } from "@asset-register/proto/limits";
import { epcKey, parseEpc } from "./epc.ts";

/** The kinds of tag; an RFID tag has an EPC, the others a code. */
export type TagType = "qr" | "barcode" | "rfid" | "nfc";

/** What is on a tag, normalised, and the key that is unique in a workspace. */
export type TagIdentity = { type: TagType; epc?: string; code?: string; key: string };

const NFC_UID = /^(?:[0-9A-Fa-f]{2}[:\- ]?){4,10}$/;
// Control characters: a scanner's stray keys, and nothing that a person could type again.
const CONTROL = /\p{Cc}/u;

/** The identity of an RFID tag; undefined when the text is no EPC. */
export function epcIdentity(text: string): TagIdentity | undefined {
  const epc = parseEpc(text.trim());
  return epc === undefined ? undefined : { type: "rfid", epc, key: `epc:${epcKey(epc)}` };
}

/**
 * The identity of a coded tag: white space around it dropped, Unicode NFC, case
 * kept (a QR code may be a URL), at most limits.tagCode characters. An NFC UID is
 * upper-case hex without separators. Undefined when nothing usable is left.
 */
export function codeIdentity(text: string, type: Exclude<TagType, "rfid">): TagIdentity | undefined {
  let code = text.normalize("NFC").trim();
  if (type === "nfc" && NFC_UID.test(code)) code = code.replace(/[:\- ]/g, "").toUpperCase();
  if (code === "" || code.length > limits.tagCode || CONTROL.test(code)) return undefined;
  return { type, code, key: `code:${code}` };
}
