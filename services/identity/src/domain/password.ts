import { limits } from "@asset-register/proto/limits";
import { type FieldViolation, lengthOf } from "@asset-register/runtime";
import { emailKey } from "./email.ts";
import { violation } from "./violations.ts";

/**
 * Work factors of argon2id: 19 MiB, 2 passes, 1 lane, the first choice of the
 * OWASP password storage cheat sheet. Hashes made with others are renewed at
 * the next sign-in.
 */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number };

/** Longer ones are refused, so that a megabyte of password costs nobody any time. */
export const PASSWORD_MAX = limits.password;
const PASSWORD_MIN = limits.passwordLeast;

/** Violations of a password that is to be set (NIST SP 800-63B: length, not character classes). */
export function checkPassword(field: string, password: string, email: string): FieldViolation[] {
  const length = lengthOf(password);
  return [
    ...violation(
      length < PASSWORD_MIN || length > PASSWORD_MAX,
      field,
      `must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`,
    ),
    ...violation(emailKey(password) === emailKey(email), field, "must not be the email address"),
  ];
}

/** Whether a hash made at `cost` should be made again at today's. */
export function needsRehash(cost: PasswordCost): boolean {
  return (
    cost.memoryCost !== passwordCost.memoryCost ||
    cost.timeCost !== passwordCost.timeCost ||
    cost.parallelism !== passwordCost.parallelism
  );
}
