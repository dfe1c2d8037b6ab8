import { limits } from "@asset-register/proto/limits";
import { lengthOf } from "@asset-register/runtime";

// One "@" between a local part and a name with a dot, and no white space. More can't be known without sending a
// message. RFC 5321 limits an address to 254 characters.
const SHAPE = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/u;

/** Whether a text, without space around it, looks like an email address. */
export function isEmail(text: string): boolean {
  return SHAPE.test(text) && lengthOf(text) <= limits.email;
}

/** Two spellings of one account have the same key: it ignores case, space around the text and Unicode forms. */
export function emailKey(email: string): string {
  return email.normalize("NFKC").toLowerCase().normalize("NFKC").trim();
}
