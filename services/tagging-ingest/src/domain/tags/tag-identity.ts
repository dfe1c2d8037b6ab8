import { epcKey, parseEpc } from "@asset-register/epc";
import { limits } from "@asset-register/proto/limits";
import { newCheckedCode } from "@asset-register/runtime";

/** An RFID tag has an EPC, the other types have a code. */
export type TagType = "qr" | "barcode" | "rfid" | "nfc";

/** The normalised identifier of a tag. */
export type TagIdentity = {
  type: TagType;
  epc?: string | undefined;
  code?: string | undefined;
  /** Unique in a workspace. */
  key: string;
  /** The keys of all tags that a look-up of its text may find, its own included. */
  lookupKeys: string[];
};

const EPC_PREFIX = "epc:";
const NFC_PREFIX = "nfc:";
const NFC_UID = /^(?:[0-9A-Fa-f]{2}[:\- ]?){4,10}$/;
/** Control characters. Some scanners send them, and they can't be typed. */
const CONTROL = /\p{Cc}/u;

/** The key of a tag with this EPC. */
export function tagKey(epc: string): string {
  return `${EPC_PREFIX}${epcKey(epc)}`;
}

/** The identity of an RFID tag. Undefined when the text is not an EPC. */
export function epcIdentity(text: string): TagIdentity | undefined {
  const epc = parseEpc(text.trim());
  if (epc === undefined) return undefined;
  // A code that reads as this EPC has this key among its own.
  return { type: "rfid", epc, key: tagKey(epc), lookupKeys: [tagKey(epc)] };
}

/**
 * The identity of a tag with a code: trimmed, in Unicode NFC, at most limits.tagCode characters. The case stays,
 * because a QR code may be a URL. An NFC UID is upper-case hex without separators. Undefined when the code is not valid.
 */
export function codeIdentity(text: string, type: Exclude<TagType, "rfid">): TagIdentity | undefined {
  const plain = normalised(text);
  if (plain === undefined) return undefined;
  const uid = type === "nfc" ? nfcUid(plain) : undefined;
  const [code, key] = uid === undefined ? [plain, `code:${plain}`] : [uid, `${NFC_PREFIX}${uid}`];
  return { type, code, key, lookupKeys: lookupKeys(code) };
}

/**
 * The identity of a new label. Its code is random, and can mean nothing else: one of hex digits only (1 of 4,096) would
 * also read as an EPC.
 */
export function newLabelIdentity(): TagIdentity & { code: string } {
  for (;;) {
    const code = newCheckedCode(limits.madeCode);
    const identity = codeIdentity(code, "qr");
    if (identity?.lookupKeys.length === 1) return { ...identity, code };
  }
}

/** The keys that a text may mean, the first choice first: an EPC, a code, an NFC UID. */
export function lookupKeys(text: string): string[] {
  const epc = parseEpc(text.trim());
  return [...(epc === undefined ? [] : [tagKey(epc)]), ...codeKeys(text)];
}

/**
 * The key that a text without a tag has: equal for texts that mean the same tag. The bare hex of an NFC UID reads as an
 * EPC if its length fits, so the UID with separators has that key too. Undefined when the text means no tag.
 */
export function unknownKey(text: string): string | undefined {
  const keys = lookupKeys(text);
  const [first] = keys;
  const uid = keys.find((key) => key.startsWith(NFC_PREFIX));
  if (first === undefined || uid === undefined || first.startsWith(EPC_PREFIX)) return first;
  return epcIdentity(uid.slice(NFC_PREFIX.length))?.key ?? uid;
}

function codeKeys(text: string): string[] {
  const code = normalised(text);
  if (code === undefined) return [];
  const uid = nfcUid(code);
  return [`code:${code}`, ...(uid === undefined ? [] : [`${NFC_PREFIX}${uid}`])];
}

function normalised(text: string): string | undefined {
  const code = text.normalize("NFC").trim();
  return code === "" || code.length > limits.tagCode || CONTROL.test(code) ? undefined : code;
}

const nfcUid = (code: string): string | undefined =>
  NFC_UID.test(code) ? code.replace(/[:\- ]/g, "").toUpperCase() : undefined;
