import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { successorPair, TOKEN_BYTES, tokenPair } from "./token.ts";

test("tokens have 256 bits after a prefix that distinguishes them", () => {
  const pair = tokenPair(randomBytes(TOKEN_BYTES), randomBytes(TOKEN_BYTES));
  expect(pair.accessToken).toMatch(/^at_[A-Za-z0-9_-]{43}$/);
  expect(pair.refreshToken).toMatch(/^rt_[A-Za-z0-9_-]{43}$/);
});

test("a successor is the same for the same token and key, so a lost answer can be given again", () => {
  expect(successorPair("pepper", "rt_1", "k")).toEqual(successorPair("pepper", "rt_1", "k"));
});

test("a successor differs when the server key, the token or the Idempotency-Key differs, also if they are equal when joined", () => {
  const triple = fc.tuple(fc.string({ minLength: 1 }), fc.string(), fc.string());
  fc.assert(
    fc.property(triple, triple, (one, other) => {
      fc.pre(one.join("\u0000") !== other.join("\u0000"));
      expect(successorPair(...one).refreshToken).not.toBe(successorPair(...other).refreshToken);
      expect(successorPair(...one).accessToken.slice(3)).not.toBe(
        successorPair(...one).refreshToken.slice(3),
      );
    }),
  );
});
