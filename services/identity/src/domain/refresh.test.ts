import { describe, expect, test } from "vitest";
import { decideRefresh, type RefreshCase } from "./refresh.ts";
import { lifetimes, type RefreshToken, type Session } from "./session.ts";

const now = new Date("2026-03-01T12:00:00Z");
const ago = (ms: number): Date => new Date(now.getTime() - ms);
const later = (ms: number): Date => ago(-ms);

const session: Session = {
  id: "ses_1",
  workspaceId: "wsp_1",
  userId: "usr_1",
  deviceUuid: "d1",
  family: "f1",
  accessTokens: [],
  expiresAt: later(1_000_000),
  rev: 1,
  createdAt: ago(1_000),
  lastSeenAt: ago(1_000),
};
const token: RefreshToken = {
  id: "h1",
  workspaceId: "wsp_1",
  sessionId: "ses_1",
  family: "f1",
  expiresAt: later(1_000),
  familyEndsAt: session.expiresAt,
};
const spent = (msAgo: number): RefreshToken => ({ ...token, spentAt: ago(msAgo), successorId: "h2" });
const base: RefreshCase = {
  token,
  session,
  deviceUuid: "d1",
  candidateId: undefined,
  successorSpent: false,
  now,
};
const decide = (part: Partial<RefreshCase>) => decideRefresh({ ...base, ...part });

describe("an unspent token", () => {
  test("is swapped on its own device", () => {
    expect(decide({})).toEqual({ do: "swap" });
  });

  test("is refused after its idle time, and the session lives on", () => {
    expect(decide({ token: { ...token, expiresAt: now } })).toEqual({ do: "refuse" });
  });

  test("ends the session when another device uses it", () => {
    expect(decide({ deviceUuid: "d2" })).toEqual({ do: "revoke", reason: "device" });
  });

  test("is refused when its session is gone, revoked, expired or signed in again", () => {
    for (const gone of [
      undefined,
      { ...session, revokedAt: now },
      { ...session, expiresAt: now },
      { ...session, family: "f2" },
    ]) {
      expect(decide({ session: gone })).toEqual({ do: "refuse" });
    }
  });
});

describe("a spent token", () => {
  test("is refused as a race within 5 s, also when this clock is behind the one that spent it", () => {
    for (const age of [-3_000, 0, lifetimes.race]) {
      expect(decide({ token: spent(age) })).toEqual({ do: "refuse" });
    }
  });

  test("ends the session after 5 s, because it was stolen", () => {
    expect(decide({ token: spent(lifetimes.race + 1) })).toEqual({ do: "revoke", reason: "reuse" });
  });

  test("with the same Idempotency-Key is answered again for 30 s and not longer", () => {
    const same = { candidateId: "h2" };
    expect(decide({ ...same, token: spent(lifetimes.retry) })).toEqual({
      do: "replay",
      spentAt: ago(lifetimes.retry),
    });
    expect(decide({ ...same, token: spent(lifetimes.retry + 1) })).toMatchObject({ do: "revoke" });
  });

  test("with another Idempotency-Key, or after its successor was used, ends the session", () => {
    expect(decide({ candidateId: "h3", token: spent(10_000) })).toMatchObject({ do: "revoke" });
    expect(decide({ candidateId: "h2", successorSpent: true, token: spent(10_000) })).toMatchObject({
      do: "revoke",
    });
  });

  test("from another device ends the session at once, also within 5 s", () => {
    expect(decide({ deviceUuid: "d2", token: spent(0) })).toEqual({ do: "revoke", reason: "device" });
  });

  test("of an earlier sign-in never ends the session of a later one", () => {
    expect(decide({ token: { ...spent(60_000), family: "f0" } })).toEqual({ do: "refuse" });
  });
});
