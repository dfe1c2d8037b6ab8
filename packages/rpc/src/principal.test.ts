import { describe, expect, it } from "vitest";
import { actorOf, type Capability, hasScope, holds, type Principal, workspaceOf } from "./principal.ts";

const user = (...capabilities: Capability[]): Principal => ({
  ...{ kind: "user", workspaceId: "wsp_1", id: "usr_1", sessionId: "ses_1", deviceUuid: "d-1" },
  capabilities,
});
const key = (...scopes: string[]): Principal => ({
  ...{ kind: "api_key", workspaceId: "wsp_2", id: "key_1", scopes },
});
const onBehalfOf = { workspaceId: "wsp_3", actor: { kind: "reader", id: "rdr_1" } } as const;
const service: Principal = { kind: "service", name: "register", onBehalfOf };
const itself: Principal = { kind: "service", name: "register" };
const anonymous: Principal = { kind: "anonymous" };

describe("a capability", () => {
  it("is held by a user to whom it was granted, and by an admin", () => {
    expect(holds(user("view", "edit"), "edit")).toBe(true);
    expect(holds(user("admin"), "finance")).toBe(true);
    expect(holds(user("view"), "edit")).toBe(false);
    expect(holds(user(), "view")).toBe(false);
  });

  it("is held by no caller of another kind, even one that claims it", () => {
    for (const other of [key("view", "admin"), service, anonymous]) {
      const claims = { ...other, capabilities: ["view", "admin"] } as Principal;
      expect(holds(claims, "view")).toBe(false);
    }
  });
});

describe("a scope", () => {
  it("is held by an API key that has exactly this scope", () => {
    expect(hasScope(key("assets:read", "tags:read"), "tags:read")).toBe(true);
    expect(hasScope(key("assets:read"), "assets:write")).toBe(false);
    expect(hasScope(key("assets:read"), "assets")).toBe(false);
  });

  it("is held by no caller of another kind, even one that claims it", () => {
    for (const other of [user("admin"), service, anonymous]) {
      expect(hasScope({ ...other, scopes: ["assets:read"] } as Principal, "assets:read")).toBe(false);
    }
  });
});

describe("the workspace of a caller", () => {
  it.each([
    ["a user", user(), "wsp_1"],
    ["an API key", key(), "wsp_2"],
    ["a service that acts for somebody", service, "wsp_3"],
  ])("of %s", (_kind, principal, expected) => {
    expect(workspaceOf(principal)).toBe(expected);
  });

  it.each([
    ["a service that acts for itself", itself],
    ["an anonymous caller", anonymous],
    ["an anonymous caller that claims one", { ...anonymous, onBehalfOf, workspaceId: "wsp_3" } as Principal],
  ])("%s has none", (_kind, principal) => {
    expect(() => workspaceOf(principal)).toThrow(
      expect.objectContaining({
        ...{ kind: "unauthenticated", message: "A credential of a workspace is required." },
      }),
    );
  });
});

describe("the actor in histories", () => {
  it.each([
    [user(), { kind: "user", id: "usr_1" }],
    [key(), { kind: "api_key", id: "key_1" }],
    [service, onBehalfOf.actor],
    [itself, { kind: "service", id: "register" }],
    [anonymous, { kind: "service", id: "anonymous" }],
  ])("of %j is %j", (principal, expected) => {
    expect(actorOf(principal)).toEqual(expected);
  });
});
