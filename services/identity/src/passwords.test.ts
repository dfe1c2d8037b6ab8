import { limits } from "@asset-register/proto/limits";
import { expect, test } from "vitest";
import { createPasswords } from "./passwords.ts";

test("the longest password is right only as a whole, also with characters of two UTF-16 units", async () => {
  const passwords = await createPasswords();
  for (const character of ["x", "𝄞"]) {
    const longest = character.repeat(limits.password);
    const stored = await passwords.hash(longest);
    expect(await passwords.verify(stored, longest)).toBe(true);
    expect(await passwords.verify(stored, `${longest}x`)).toBe(false);
    expect(await passwords.verify(stored, longest.slice(0, -2))).toBe(false);
  }
});
