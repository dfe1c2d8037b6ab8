import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  type ApiKey,
  apiKeyText,
  distinctScopes,
  endOfText,
  isUsable,
  previousValidUntil,
  rotate,
  scopes,
} from "./api-key.ts";

const now = new Date("2026-03-01T12:00:00Z");
const later = (ms: number): Date => new Date(now.getTime() + ms);

test("the text of a key has the published form, which secret scanners know", () => {
  expect(apiKeyText(randomBytes(32))).toMatch(/^ask_live_[0-9A-Za-z]{36}$/);
});

test("distinct scopes have each scope once, in the order of the list", () => {
  expect(distinctScopes([...scopes].reverse().concat("finance"))).toEqual(scopes);
});

test("a key is usable until it expires or its revocation takes effect", () => {
  expect(isUsable({}, now)).toBe(true);
  expect(isUsable({ expiresAt: later(1) }, now)).toBe(true);
  expect(isUsable({ expiresAt: now }, now)).toBe(false);
  expect(isUsable({ revokedAt: now }, now)).toBe(false);
  expect(isUsable({ revokedAt: later(1) }, now)).toBe(true);
});

describe("a rotation", () => {
  const key: ApiKey = {
    id: "key_1",
    workspaceId: "wsp_1",
    name: "ERP",
    hash: "a",
    scopes: ["assets:read"],
    allowedAddresses: [],
    previous: [],
    createdAt: now,
    createdBy: { kind: "user", id: "usr_1" },
    rev: 1,
  };

  test("accepts the previous text until the overlap ends", () => {
    const rotated = rotate(key, "b", 60, now);
    expect(rotated).toMatchObject({ hash: "b", rev: 2 });
    expect(endOfText(rotated, "b", now)).toBeUndefined();
    expect(endOfText(rotated, "a", now)).toEqual(later(60_000));
    expect(endOfText(rotated, "c", now)).toEqual(now);
    expect(previousValidUntil(rotated, now)).toEqual(later(60_000));
    expect(previousValidUntil(rotated, later(60_000))).toBeUndefined();
  });

  test("without an overlap ends all earlier texts", () => {
    const twice = rotate(rotate(key, "b", 3_600, now), "c", 0, now);
    expect(twice.previous).toEqual([]);
  });

  test("ends texts of earlier overlaps no later than its own overlap", () => {
    const twice = rotate(rotate(key, "b", 3_600, now), "c", 60, now);
    expect(twice.previous.map(({ endsAt }) => endsAt)).toEqual([later(60_000), later(60_000)]);
  });

  test("does not extend the life of the key, and fails for a revoked or expired key", () => {
    const rotated = rotate({ ...key, expiresAt: later(1_000) }, "b", 60, now);
    expect(endOfText(rotated, "a", now)).toEqual(later(1_000));
    expect(() => rotate({ ...key, revokedAt: now }, "b", 60, now)).toThrow(/revoked/);
    expect(() => rotate({ ...key, expiresAt: now }, "b", 60, now)).toThrow(/expired/);
  });

  test("fails while five earlier texts are still accepted", () => {
    const often = ["b", "c", "d", "e", "f"].reduce((before, hash) => rotate(before, hash, 60, now), key);
    expect(() => rotate(often, "g", 60, now)).toThrow(/still accepted/);
    expect(rotate(often, "g", 60, later(60_000)).previous).toHaveLength(1);
    expect(rotate(often, "g", 0, now).previous).toEqual([]);
  });
});
