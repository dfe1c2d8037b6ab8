import { expect, test } from "vitest";
import { PASSWORD_MAX } from "./domain/password.ts";
import { createPasswords } from "./passwords.ts";

test("the longest password is right as a whole alone, whatever its characters take", async () => {
  const passwords = await createPasswords();
  for (const character of ["x", "𝄞"]) {
    const longest = character.repeat(PASSWORD_MAX);
    const stored = await passwords.hash(longest);
    expect(await passwords.verify(stored, longest)).toBe(true);
    expect(await passwords.verify(stored, `${longest}x`)).toBe(false);
    expect(await passwords.verify(stored, longest.slice(0, -2))).toBe(false);
  }
});
