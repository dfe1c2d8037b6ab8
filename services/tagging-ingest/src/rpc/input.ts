import { limits } from "@asset-register/proto/limits";
import { type FieldViolation, invalid, lengthOf } from "@asset-register/runtime";

/** Collects what is wrong with a request and throws it all together. */
export function checkInput(check: (wrong: (field: string, message: string) => void) => void): void {
  const violations: FieldViolation[] = [];
  check((field, message) => violations.push({ field, message }));
  if (violations.length > 0) throw invalid(violations);
}

/** A name without white space around it; says what is wrong with it. */
export function nameOf(text: string, wrong: (field: string, message: string) => void): string {
  const name = text.trim();
  if (name === "") wrong("name", "is required");
  if (lengthOf(name) > limits.name) wrong("name", `must have at most ${limits.name} characters`);
  return name;
}
