import { describe, expect, test } from "vitest";
import { changeUser, granted, isActiveAdmin, type User } from "./user.ts";

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
  version: 3,
  createdAt: made,
  updatedAt: made,
};

describe("a change of a user", () => {
  test("that changes nothing is none, so that no version is raised for it", () => {
    expect(changeUser(user, {}, now)).toBe(user);
    const same = { name: " Ada ", capabilities: ["admin", "view", "view"], status: "active" } as const;
    expect(changeUser(user, { ...same, capabilities: [...same.capabilities] }, now)).toBe(user);
  });

  test("raises the version, by which gateways know that what they keep is stale", () => {
    const changed = changeUser(user, { capabilities: ["edit"] }, now);
    expect(changed).toMatchObject({ version: 4, updatedAt: now });
  });

  test("grants admin by its flag alone, and keeps it when only the others are named", () => {
    expect(changeUser(user, { capabilities: ["edit"] }, now).capabilities).toEqual(["edit", "admin"]);
    expect(changeUser(user, { admin: false }, now).capabilities).toEqual(["view"]);
    const plain = { ...user, capabilities: granted(["view"], false) };
    expect(changeUser(plain, { capabilities: ["admin", "edit"] }, now).capabilities).toEqual(["edit"]);
  });

  test("that enables somebody who has set no password brings the invitation back", () => {
    const cancelled: User = { ...user, passwordHash: "", status: "disabled" };
    expect(changeUser(cancelled, { status: "active" }, now).status).toBe("invited");
    expect(changeUser({ ...user, status: "disabled" }, { status: "active" }, now).status).toBe("active");
  });
});

test("who is invited or disabled does not count as an admin", () => {
  expect(isActiveAdmin(user)).toBe(true);
  expect(isActiveAdmin({ ...user, status: "invited" })).toBe(false);
  expect(isActiveAdmin({ ...user, status: "disabled" })).toBe(false);
  expect(isActiveAdmin({ ...user, capabilities: ["view"] })).toBe(false);
});
