import { expect, test } from "vitest";
import { agentSecret, agentToken, agentTokenHash, newAgent } from "./agent.ts";

const AT = new Date("2026-01-01T00:00:00Z");

test("a token and a secret have a prefix and 43 digits of base62", () => {
  expect(agentToken(new Uint8Array(32).fill(2))).toMatch(/^agtok_[0-9A-Za-z]{43}$/);
  expect(agentSecret(new Uint8Array(32).fill(2))).toMatch(/^agsec_[0-9A-Za-z]{43}$/);
});

test("different tokens have different hashes", () => {
  expect(agentTokenHash("agtok_a")).not.toBe(agentTokenHash("agtok_b"));
});

test("the token of a new agent can be used for 24 hours", () => {
  const agent = newAgent({ name: "Depot", readerIds: [] }, { id: "agt_1", workspaceId: "wsp_1", at: AT });
  expect(agent).toMatchObject({ rev: 1, createdAt: AT, tokenExpiresAt: new Date("2026-01-02T00:00:00Z") });
  expect(agent.enrolledAt).toBeUndefined();
});
