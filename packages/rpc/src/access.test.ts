import { AccessSchema, Capability } from "@asset-register/proto/assetregister/common/v1/access_pb";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { echoService } from "../test/echo.ts";
import { accessOf, admits, fullNameOf } from "./access.ts";
import type { Principal } from "./principal.ts";

type Option = MessageInitShape<typeof AccessSchema>;

const user = (...capabilities: ("view" | "edit" | "admin")[]): Principal => ({
  ...{ kind: "user", workspaceId: "wsp_1", id: "usr_1", sessionId: "ses_1", deviceUuid: "d-1" },
  capabilities,
});
const callers = {
  nobody: { kind: "anonymous" },
  "user without rights": user(),
  viewer: user("view"),
  editor: user("edit"),
  admin: user("admin"),
  "key without scopes": { kind: "api_key", workspaceId: "wsp_1", id: "key_1", scopes: [] },
  "reading key": { kind: "api_key", workspaceId: "wsp_1", id: "key_1", scopes: ["assets:read"] },
  finance: { kind: "service", name: "finance" },
  "finance for an admin": {
    ...{ kind: "service", name: "finance" },
    onBehalfOf: { workspaceId: "wsp_1", actor: { kind: "user", id: "usr_admin" } },
  },
  gateway: { kind: "service", name: "gateway" },
} satisfies Record<string, Principal>;
type Caller = keyof typeof callers;

describe("an access option admits exactly the callers that one of its parts admits", () => {
  const users: Caller[] = ["user without rights", "viewer", "editor", "admin"];
  const keys: Caller[] = ["key without scopes", "reading key"];

  it.each<[Option, Caller[]]>([
    [{ public: true }, ["nobody", ...users, ...keys, "gateway"]],
    [{ signedIn: true }, [...users, ...keys]],
    [{ anyOfCapabilities: [Capability.VIEW] }, ["viewer", "admin"]],
    [{ anyOfCapabilities: [Capability.VIEW, Capability.EDIT] }, ["viewer", "editor", "admin"]],
    [{ anyOfCapabilities: [Capability.ADMIN] }, ["admin"]],
    [{ anyOfCapabilities: [Capability.UNSPECIFIED] }, []],
    [{ anyOfScopes: ["assets:read"] }, ["reading key"]],
    [{ anyOfScopes: ["assets:write", "assets:read"] }, ["reading key"]],
    [{ anyOfScopes: ["assets:write"] }, []],
    [{ internal: ["finance"] }, ["finance", "finance for an admin"]],
    [{ internal: ["register"] }, []],
    [
      { anyOfCapabilities: [Capability.VIEW], anyOfScopes: ["assets:read"], internal: ["gateway"] },
      ["viewer", "admin", "reading key", "gateway"],
    ],
    [{}, []],
  ])("%j: %j", (option, expected) => {
    const admitted = Object.entries(callers).filter(([, caller]) =>
      admits(create(AccessSchema, option), caller),
    );
    expect(admitted.map(([name]) => name)).toEqual(expected);
  });
});

describe("the access option of a method", () => {
  const look = (option?: Option) => echoService({ Look: option }).method.look;

  it("is found, whichever part of it admits a caller", () => {
    const options: Option[] = [
      { public: true },
      { signedIn: true },
      { internal: ["register"] },
      { anyOfScopes: ["assets:read"] },
      { anyOfCapabilities: [Capability.VIEW] },
    ];
    for (const option of options) expect(accessOf(look(option))).toMatchObject(option);
  });

  it("is missing, admits no caller, or has an unknown capability: the error names the method", () => {
    expect(() => accessOf(look())).toThrow("test.v1.EchoService/Look has no access option.");
    for (const none of [{}, { public: false }, { signedIn: false, anyOfScopes: [] }]) {
      expect(() => accessOf(look(none))).toThrow(
        "test.v1.EchoService/Look has an access option that admits no caller.",
      );
    }
    for (const anyOfCapabilities of [[0], [Capability.VIEW, 99 as Capability]]) {
      expect(() => accessOf(look({ anyOfCapabilities }))).toThrow(
        "test.v1.EchoService/Look has an access option with an unknown capability.",
      );
    }
  });

  it("the full name of a method is that of its service and its own", () => {
    expect(fullNameOf(look({ public: true }))).toBe("test.v1.EchoService/Look");
  });
});
