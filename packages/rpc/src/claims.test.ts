import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assertionProblem, audienceOf, parsePrincipal, principalKey } from "./claims.ts";
import type { Principal } from "./principal.ts";

const user: Principal = {
  ...{ kind: "user", workspaceId: "wsp_1", id: "usr_1", sessionId: "ses_1", deviceUuid: "d-1" },
  capabilities: ["view", "edit"],
};
const key: Principal = { kind: "api_key", workspaceId: "wsp_1", id: "key_1", scopes: ["assets:read"] };
const actor = { kind: "user", id: "usr_1" } as const;
const service: Principal = {
  ...{ kind: "service", name: "register", onBehalfOf: { workspaceId: "wsp_1", actor } },
};

describe("the callers that a service may assert", () => {
  it.each<[string, Principal, string | undefined]>([
    ["gateway", user, undefined],
    ["gateway", key, undefined],
    ["gateway", { kind: "service", name: "gateway" }, undefined],
    ["register", service, undefined],
    ["register", user, "register may not assert a principal of kind user"],
    ["register", key, "register may not assert a principal of kind api_key"],
    ["register", { kind: "service", name: "gateway" }, "register may not assert the service gateway"],
    ["gateway", service, "gateway may not assert the service register"],
    ["gateway", { kind: "anonymous" }, "an anonymous caller has no token"],
    ["anonymous", { kind: "anonymous" }, "an anonymous caller has no token"],
  ])("%s asserts %j: %s", (issuer, asserted, problem) => {
    expect(assertionProblem(issuer, asserted)).toBe(problem);
  });
});

describe("the principal in a claim", () => {
  it.each([user, key, service, { kind: "service", name: "register" }])("%j is accepted", (principal) => {
    expect(parsePrincipal(principal)).toEqual(principal);
  });

  it.each<[string, unknown]>([
    ["an anonymous one", { kind: "anonymous" }],
    ["a user without a workspace", { ...user, workspaceId: "" }],
    ["a user without an id", { ...user, id: "" }],
    ["an API key without a workspace", { ...key, workspaceId: "" }],
    ["an API key without an id", { ...key, id: "" }],
    ["a service without a name", { ...service, name: "" }],
    ["a service for no workspace", { ...service, onBehalfOf: { workspaceId: "", actor } }],
    ["a service for no actor", { ...service, onBehalfOf: { workspaceId: "wsp_1" } }],
    [
      "a service for an actor without an id",
      { ...service, onBehalfOf: { workspaceId: "wsp_1", actor: { kind: "user", id: "" } } },
    ],
    ["scopes that are no texts", { ...key, scopes: [5] }],
  ])("%s is refused", (_name, claim) => {
    expect(() => parsePrincipal(claim)).toThrow();
  });
});

it("the audience of a token is the package of the called service", () => {
  expect(audienceOf(AssetService.method.getAsset)).toBe("assetregister.register.v1");
});

describe("the key in the cache of signed tokens", () => {
  const id = fc.constantFrom("a", "b");
  const caller: fc.Arbitrary<Principal> = fc.oneof(
    fc.record({
      ...{ kind: fc.constant("user" as const), workspaceId: id, id, sessionId: id, deviceUuid: id },
      capabilities: fc.subarray(["view", "edit"] as ("view" | "edit")[]),
    }),
    fc.record({
      ...{ kind: fc.constant("api_key" as const), workspaceId: id, id },
      scopes: fc.subarray(["a", "b"]),
    }),
    fc.record(
      {
        ...{ kind: fc.constant("service" as const), name: id },
        onBehalfOf: fc.record({
          workspaceId: id,
          actor: fc.record({ kind: fc.constantFrom("user" as const, "reader" as const), id }),
        }),
      },
      { requiredKeys: ["kind", "name"] },
    ),
    fc.constant({ kind: "anonymous" as const }),
  );

  it("is equal for two callers exactly if they are equal: no caller gets the token of another one", () => {
    fc.assert(
      fc.property(caller, caller, (one, other) => {
        expect(principalKey(one) === principalKey(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
        expect(principalKey(one)).toBe(principalKey(structuredClone(one)));
      }),
      { numRuns: 500 },
    );
  });

  it.each<[Principal, string]>([
    [user, "u|wsp_1|usr_1|ses_1|d-1|view|edit"],
    [key, "k|wsp_1|key_1|assets:read"],
    [service, "s|register|wsp_1|user|usr_1"],
    [{ kind: "service", name: "register" }, "s|register"],
    [{ kind: "anonymous" }, "a"],
  ])("of %j has all its fields, one a line", (principal, expected) => {
    expect(principalKey(principal)).toBe(expected.replaceAll("|", "\n"));
  });
});
