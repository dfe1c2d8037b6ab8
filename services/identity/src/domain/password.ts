import { limits } from "@asset-register/proto/limits";
import { invalid } from "@asset-register/runtime";
import { emailKey } from "./email.ts";

/**
 * Work factors of argon2id: 19 MiB, 2 passes, 1 lane, the first choice of the OWASP password storage cheat sheet. A
 * hash with other factors is renewed at the next sign-in.
 */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number };

/** Whose password it is. Attackers guess with these texts first. */
export type PasswordOwner = { email: string; name: string; workspaceName: string };

/** The texts of the owner and their words. Shorter words say nothing. */
export function personalWords({ email, name, workspaceName }: PasswordOwner): string[] {
  const texts = [email, name, workspaceName];
  const words = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)).filter((word) => word.length > 2);
  return [...new Set([...texts, ...words])];
}

/** @throws AppError VALIDATION_FAILED on `field` when the new password is the email address or too easy to guess */
export function assertStrong(field: string, password: string, email: string, strength: number): void {
  if (emailKey(password) === emailKey(email)) {
    throw invalid([{ field, message: "must not be the email address" }]);
  }
  if (strength < limits.passwordStrength) {
    throw invalid([{ field, message: "is too easy to guess: use more words, or less common ones" }]);
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
