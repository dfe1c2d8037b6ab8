import { describe, expect, test } from "vitest";
import { changeUser, effectiveCapabilities, grantedCapabilities, isActiveAdmin, type User } from "./user.ts";

const made = new Date("2026-03-01T12:00:00Z");
const now = new Date("2026-03-02T12:00:00Z");
const user: User = {
  id: "usr_1",
  workspaceId: "wsp_1",
  email: "ada@example.com",
  name: "Ada",
  passwordHash: "hash",
  capabilities: ["view", "admin"],
  status: "active",
  rev: 3,
  createdAt: made,
  updatedAt: made,
};

describe("a change of a user", () => {
  test("that changes nothing returns the same user, with the same rev", () => {
    expect(changeUser(user, {}, now)).toBe(user);
    const same = { name: "Ada", capabilities: ["admin", "view", "view"], status: "active" } as const;
    expect(changeUser(user, { ...same, capabilities: [...same.capabilities] }, now)).toBe(user);
  });

  test("raises the rev, by which gateways notice that their cached answers are stale", () => {
    const changed = changeUser(user, { capabilities: ["edit"] }, now);
    expect(changed).toMatchObject({ rev: 4, updatedAt: now });
  });

  test("grants admin only by its flag, and keeps admin when only other capabilities change", () => {
    expect(changeUser(user, { capabilities: ["edit"] }, now).capabilities).toEqual(["edit", "admin"]);
    expect(changeUser(user, { admin: false }, now).capabilities).toEqual(["view"]);
    const plain = { ...user, capabilities: grantedCapabilities(["view"], false) };
    expect(changeUser(plain, { capabilities: ["admin", "edit"] }, now).capabilities).toEqual(["edit"]);
  });

  test("that enables a user without a password restores the invitation", () => {
    const cancelled: User = { ...user, passwordHash: undefined, status: "disabled" };
    expect(changeUser(cancelled, { status: "active" }, now).status).toBe("invited");
    expect(changeUser({ ...user, status: "disabled" }, { status: "active" }, now).status).toBe("active");
  });
});

test("an invited or disabled user does not count as an admin", () => {
  expect(isActiveAdmin(user)).toBe(true);
  expect(isActiveAdmin({ ...user, status: "invited" })).toBe(false);
  expect(isActiveAdmin({ ...user, status: "disabled" })).toBe(false);
  expect(isActiveAdmin({ ...user, capabilities: ["view"] })).toBe(false);
});

test("an admin holds every capability, other users hold what was granted", () => {
  expect(effectiveCapabilities({ capabilities: ["admin"] })).toHaveLength(10);
  expect(effectiveCapabilities({ capabilities: ["edit", "view", "edit"] })).toEqual(["view", "edit"]);
});
