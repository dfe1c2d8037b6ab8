import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { apiKeyText, checkNewApiKey, isApiKeyText, isUsable, knownScopes, scopes } from "./api-key.ts";

const now = new Date("2026-03-01T12:00:00Z");
const later = (ms: number): Date => new Date(now.getTime() + ms);

describe("the text of a key", () => {
  test("has the published form, so that secret scanners find it", () => {
    expect(apiKeyText(randomBytes(32))).toMatch(/^ask_live_[0-9A-Za-z]{36}$/);
  });

  test("is the same for the same chance, and known to be a key, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(isApiKeyText(apiKeyText(bytes))).toBe(true);
        expect(apiKeyText(bytes)).toBe(apiKeyText(bytes));
      }),
    );
  });

  test("fails its checksum when any one character is mistyped", () => {
    const key = apiKeyText(randomBytes(32));
    fc.assert(
      fc.property(fc.integer({ min: 9, max: key.length - 1 }), fc.constantFrom(..."0Az9"), (at, other) => {
        fc.pre(key[at] !== other);
        expect(isApiKeyText(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
      }),
    );
  });
});

describe("a new key", () => {
  test("names every scope that does not exist, by its place", () => {
    const violations = checkNewApiKey({ name: "ERP", scopes: ["assets:read", "root", "*"] }, now);
    expect(violations.map(({ field }) => field)).toEqual(["scopes[1]", "scopes[2]"]);
  });

  test("needs a name, a scope and an end that is still to come", () => {
    const violations = checkNewApiKey({ name: " ", scopes: [], expiresAt: now }, now);
    expect(violations.map(({ field }) => field)).toEqual(["name", "scopes", "expires_at"]);
  });

  test("holds each scope once, in the order of the list", () => {
    expect(knownScopes([...scopes].reverse().concat("finance"))).toEqual(scopes);
  });
});

test("a key is usable until it expires or its revocation takes effect", () => {
  expect(isUsable({}, now)).toBe(true);
  expect(isUsable({ expiresAt: later(1) }, now)).toBe(true);
  expect(isUsable({ expiresAt: now }, now)).toBe(false);
  expect(isUsable({ revokedAt: now }, now)).toBe(false);
  expect(isUsable({ revokedAt: later(1) }, now)).toBe(true);
});
