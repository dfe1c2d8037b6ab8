import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  type ApiKey,
  apiKeyText,
  checkNewApiKey,
  checkOverlap,
  endOfText,
  isUsable,
  knownScopes,
  previousValidUntil,
  rotate,
  scopes,
} from "./api-key.ts";

const now = new Date("2026-03-01T12:00:00Z");
const later = (ms: number): Date => new Date(now.getTime() + ms);

test("the text of a key has the published form, so that secret scanners find it", () => {
  expect(apiKeyText(randomBytes(32))).toMatch(/^ask_live_[0-9A-Za-z]{36}$/);
});

const erp = { name: "ERP", scopes: ["assets:read"], allowedAddresses: [] };

describe("a new key", () => {
  test("may be bound to addresses and blocks of both families, and to nothing else", () => {
    const right = ["192.0.2.1", "10.0.0.0/8", "::1", "2001:db8::/32", " 192.0.2.0/0 "];
    expect(checkNewApiKey({ ...erp, allowedAddresses: right }, now)).toEqual([]);
    const wrong = [
      "",
      "example.com",
      "10.0.0.0/33",
      "::/129",
      "10.0.0.0/",
      "10.0.0.0/-1",
      "fe80::1%eth0",
      "010.1.1.1",
    ];
    const violations = checkNewApiKey({ ...erp, allowedAddresses: wrong }, now);
    expect(violations.map(({ field }) => field)).toEqual(
      wrong.map((_, index) => `allowed_addresses.${index}`),
    );
    const many = Array.from({ length: 101 }, () => "192.0.2.1");
    expect(checkNewApiKey({ ...erp, allowedAddresses: many }, now)).toHaveLength(1);
  });

  test("names every scope that does not exist, by its place", () => {
    const violations = checkNewApiKey({ ...erp, scopes: ["assets:read", "root", "*"] }, now);
    expect(violations.map(({ field }) => field)).toEqual(["scopes.1", "scopes.2"]);
  });

  test("needs a name, a scope and an end that is still to come", () => {
    const violations = checkNewApiKey({ ...erp, name: " ", scopes: [], expiresAt: now }, now);
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
    version: 1,
  };

  test("keeps the text before for the overlap, and ends it then", () => {
    const rotated = rotate(key, "b", 60, now);
    expect(rotated).toMatchObject({ hash: "b", version: 2 });
    expect(endOfText(rotated, "b", now)).toBeUndefined();
    expect(endOfText(rotated, "a", now)).toEqual(later(60_000));
    expect(endOfText(rotated, "c", now)).toEqual(now);
    expect(previousValidUntil(rotated, now)).toEqual(later(60_000));
    expect(previousValidUntil(rotated, later(60_000))).toBeUndefined();
  });

  test("without an overlap ends every text before, those of earlier overlaps too", () => {
    const twice = rotate(rotate(key, "b", 3_600, now), "c", 0, now);
    expect(twice.previous).toEqual([]);
  });

  test("lets texts of earlier overlaps end no later than its own", () => {
    const twice = rotate(rotate(key, "b", 3_600, now), "c", 60, now);
    expect(twice.previous.map(({ endsAt }) => endsAt)).toEqual([later(60_000), later(60_000)]);
  });

  test("ends with the key itself", () => {
    const rotated = rotate({ ...key, expiresAt: later(1_000) }, "b", 60, now);
    expect(endOfText(rotated, "a", now)).toEqual(later(1_000));
    expect(() => rotate({ ...key, revokedAt: now }, "b", 60, now)).toThrow(/revoked/);
    expect(() => rotate({ ...key, expiresAt: now }, "b", 60, now)).toThrow(/expired/);
  });

  test("is refused while five texts before are still taken", () => {
    const often = ["b", "c", "d", "e", "f"].reduce((before, hash) => rotate(before, hash, 60, now), key);
    expect(() => rotate(often, "g", 60, now)).toThrow(/still taken/);
    expect(rotate(often, "g", 60, later(60_000)).previous).toHaveLength(1);
    expect(rotate(often, "g", 0, now).previous).toEqual([]);
  });

  test("has an overlap of at most 30 days", () => {
    expect([0, 1, 30 * 86_400].flatMap(checkOverlap)).toEqual([]);
    expect([-1, 0.5, Number.NaN, 30 * 86_400 + 1].flatMap(checkOverlap)).toHaveLength(4);
  });
});
