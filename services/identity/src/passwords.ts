import { randomUUID } from "node:crypto";
import { limits } from "@asset-register/proto/limits";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { needsRehash, passwordCost } from "./domain/password.ts";
import { createPasswordStrength, type PasswordStrength } from "./password-strength.ts";

/**
 * One UTF-16 unit more than the longest password can have: a character has up to two. Longer texts are cut, so that
 * checking a very long one takes no time.
 */
const MAX_UNITS = 2 * limits.password + 1;

export type Passwords = {
  hash(password: string): Promise<string>;
  /** False without a hash: the account does not exist or has no password yet. That takes as long as with one. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
  isOutdated(hash: string): boolean;
  strength: PasswordStrength;
};

/** argon2id, which is the default of this library. It runs on libuv's threads. */
export async function createPasswords(): Promise<Passwords> {
  const hashOfNobody = await hash(randomUUID(), passwordCost);
  return {
    hash: (password) => hash(password, passwordCost),
    async verify(stored, password) {
      const matches = await verify(stored ?? hashOfNobody, password.slice(0, MAX_UNITS));
      return matches && stored !== undefined;
    },
    isOutdated: (stored) => needsRehash(parseOptions(stored)),
    strength: createPasswordStrength(),
  };
}
