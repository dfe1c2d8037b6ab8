import { limits } from "@asset-register/proto/limits";
import { type FieldViolation, lengthOf } from "@asset-register/runtime";
import { violation } from "./violations.ts";

// One "@" between a local part and a dotted name, no white space: what can be
// said without sending a message. 254 characters is the limit of RFC 5321.
const SHAPE = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/u;

/** Violations of an email address as a person typed it. */
export function checkEmail(field: string, email: string): FieldViolation[] {
  const typed = email.trim();
  return violation(!SHAPE.test(typed) || lengthOf(typed) > limits.email, field, "must be an email address");
}

/** What makes two spellings one account: no case, no surrounding space, one Unicode form. */
export function emailKey(email: string): string {
  return email.normalize("NFKC").toLowerCase().normalize("NFKC").trim();
}
