import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { successorPair, TOKEN_BYTES, tokenPair } from "./token.ts";

test("tokens carry 256 bits behind a prefix that tells them apart", () => {
  const pair = tokenPair(randomBytes(TOKEN_BYTES), randomBytes(TOKEN_BYTES));
  expect(pair.access).toMatch(/^at_[A-Za-z0-9_-]{43}$/);
  expect(pair.refresh).toMatch(/^rt_[A-Za-z0-9_-]{43}$/);
});

test("a successor is the same for the same token and key, so that a lost answer can be made again", () => {
  expect(successorPair("pepper", "rt_1", "k")).toEqual(successorPair("pepper", "rt_1", "k"));
});

test("a successor differs with the server's key, the token or the idempotency key, wherever they are cut", () => {
  const triple = fc.tuple(fc.string({ minLength: 1 }), fc.string(), fc.string());
  fc.assert(
    fc.property(triple, triple, (one, other) => {
      fc.pre(one.join("\u0000") !== other.join("\u0000"));
      expect(successorPair(...one).refresh).not.toBe(successorPair(...other).refresh);
      expect(successorPair(...one).access.slice(3)).not.toBe(successorPair(...one).refresh.slice(3));
    }),
  );
});
