import { expect, test } from "vitest";
import { createPasswordStrength } from "./password-strength.ts";

const strength = createPasswordStrength();

test.each([
  ["Password12345", []],
  ["passwordpassword", []],
  ["qwertyuiop12", []],
  ["p4ssw0rd1234", []],
  ["ada@example.com1", ["ada@example.com"]],
  ["Lovelace1815", ["Lovelace"]],
  ["aaaaaaaaaaaaaaaaaaaaaaaa", []],
])("%s is too easy to guess", async (password, personal) => {
  expect(await strength(password, personal)).toBeLessThan(3);
});

test.each([["correct horse battery"], ["vhx7qkz2mpw4"], ["тихий океан волна"], ["𝄞𝄞𝄞kx9 vq2 zu7"]])(
  "%s is strong enough",
  async (password) => {
    expect(await strength(password, ["Ada", "ada@example.com"])).toBeGreaterThanOrEqual(3);
  },
);

test("only the first 64 characters count", async () => {
  const weak = "a".repeat(64);
  expect(await strength(`${weak}vhx7qkz2mpw4 correct horse battery`, [])).toBe(await strength(weak, []));
});
