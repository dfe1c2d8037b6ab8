import type { Context } from "../context.ts";
import { assertStrong, type PasswordOwner, personalWords } from "../domain/password.ts";

/**
 * Checks a password that is to be set. Its length is checked when the request is decoded.
 * @throws AppError VALIDATION_FAILED on `field`
 */
export async function assertNewPassword(
  { passwords }: Pick<Context, "passwords">,
  field: string,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  const strength = await passwords.strength(password, personalWords(owner));
  assertStrong(field, password, owner.email, strength);
}
