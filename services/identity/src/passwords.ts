import { randomUUID } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { needsRehash, PASSWORD_MAX, passwordCost } from "./domain/password.ts";

/** UTF-16 units, of which a character takes up to two: one more than any right password has. */
const MOST_UNITS = 2 * PASSWORD_MAX + 1;

export type Passwords = {
  hash(password: string): Promise<string>;
  /** Takes as long without a hash, for an account that does not exist or has no password yet, and is then false. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
  isOutdated(hash: string): boolean;
};

/** argon2id, its default in this library, on libuv's threads. */
export async function createPasswords(): Promise<Passwords> {
  const nobody = await hash(randomUUID(), passwordCost);
  return {
    hash: (password) => hash(password, passwordCost),
    verify: async (stored, password) => {
      const right = await verify(stored || nobody, password.slice(0, MOST_UNITS));
      return right && Boolean(stored);
    },
    isOutdated: (stored) => needsRehash(parseOptions(stored)),
  };
}
