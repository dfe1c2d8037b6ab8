import { invalid } from "@asset-register/runtime";
import { emailKey } from "./email.ts";

/**
 * Work factors of argon2id: 19 MiB, 2 passes, 1 lane, the first choice of the OWASP password storage cheat sheet. A
 * hash with other factors is renewed at the next sign-in.
 */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number };

/** @throws AppError VALIDATION_FAILED on `field` when the new password is the email address */
export function assertNotEmail(field: string, password: string, email: string): void {
  if (emailKey(password) === emailKey(email)) {
    throw invalid([{ field, message: "must not be the email address" }]);
  }
}

/** Whether a hash with the work factors `cost` has to be renewed. */
export function needsRehash(cost: PasswordCost): boolean {
  return (
    cost.memoryCost !== passwordCost.memoryCost ||
    cost.timeCost !== passwordCost.timeCost ||
    cost.parallelism !== passwordCost.parallelism
  );
}
