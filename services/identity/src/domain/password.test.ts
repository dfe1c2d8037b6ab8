import { expect, test } from "vitest";
import { assertStrong, needsRehash, passwordCost, personalWords } from "./password.ts";

const refused = (field: string) =>
  expect.objectContaining({ violations: [expect.objectContaining({ field })] });

test("a new password must not be the email address, in any spelling, and needs a strength of 3", () => {
  expect(() => assertStrong("password", "twelve chars", "a@b.co", 3)).not.toThrow();
  expect(() => assertStrong("new_password", "ANA@example.org", "ana@example.org", 4)).toThrow(
    refused("new_password"),
  );
  expect(() => assertStrong("new_password", "twelve chars", "a@b.co", 2)).toThrow(refused("new_password"));
});

test("the words of an owner are its texts and their longer words", () => {
  const owner = { email: "ada.king@example.org", name: "Ada K. Lovelace", workspaceName: "Söhne & Co" };
  expect(personalWords(owner)).toEqual([
    ...[owner.email, owner.name, owner.workspaceName],
    ...["ada", "king", "example", "org", "Ada", "Lovelace", "Söhne"],
  ]);
});

test("a hash with other work factors has to be renewed, also if they are higher", () => {
  expect(needsRehash(passwordCost)).toBe(false);
  expect(needsRehash({ ...passwordCost, memoryCost: 65_536 })).toBe(true);
  expect(needsRehash({ ...passwordCost, timeCost: 1 })).toBe(true);
  expect(needsRehash({ ...passwordCost, parallelism: 4 })).toBe(true);
});
