import { expect, test } from "vitest";
import { assertNotEmail, needsRehash, passwordCost } from "./password.ts";

test("a new password must not be the email address, in any spelling", () => {
  expect(() => assertNotEmail("password", "twelve chars", "a@b.co")).not.toThrow();
  expect(() => assertNotEmail("new_password", "ANA@example.org", "ana@example.org")).toThrow(
    expect.objectContaining({ violations: [expect.objectContaining({ field: "new_password" })] }),
  );
});

test("a hash with other work factors has to be renewed, also if they are higher", () => {
  expect(needsRehash(passwordCost)).toBe(false);
  expect(needsRehash({ ...passwordCost, memoryCost: 65_536 })).toBe(true);
  expect(needsRehash({ ...passwordCost, timeCost: 1 })).toBe(true);
  expect(needsRehash({ ...passwordCost, parallelism: 4 })).toBe(true);
});
