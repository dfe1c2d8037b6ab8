import { unauthenticated } from "@asset-register/runtime";

export type Capability =
  | "view"
  | "create"
  | "edit"
  | "delete"
  | "manage"
  | "finance"
  | "audit"
  | "devices"
  | "alerts"
  | "admin";

/** The actor that caused a change, as in histories and events. */
export type Actor = { kind: "user" | "api_key" | "reader" | "service" | "operator"; id: string };

/** The workspace and actor for which a service acts. */
export type OnBehalfOf = { workspaceId: string; actor: Actor };

/** The caller. The gateway asserts users and API keys, a service asserts itself. */
export type Principal =
  | {
      kind: "user";
      workspaceId: string;
      id: string;
      sessionId: string;
      deviceUuid: string;
      capabilities: Capability[];
    }
  | { kind: "api_key"; workspaceId: string; id: string; scopes: string[] }
  | { kind: "service"; name: string; onBehalfOf?: OnBehalfOf | undefined }
  | { kind: "anonymous" };

/** Whether the caller is a user with this capability. An admin has all capabilities. */
export function holds(principal: Principal, capability: Capability): boolean {
  return (
    principal.kind === "user" &&
    (principal.capabilities.includes(capability) || principal.capabilities.includes("admin"))
  );
}

/** Whether the caller is an API key with this scope. */
export function hasScope(principal: Principal, scope: string): boolean {
  return principal.kind === "api_key" && principal.scopes.includes(scope);
}

/**
 * Returns the workspace of the credential.
 *
 * @throws AppError unauthenticated if the credential has none
 */
export function workspaceOf(principal: Principal): string {
  if (principal.kind === "user" || principal.kind === "api_key") return principal.workspaceId;
  if (principal.kind === "service" && principal.onBehalfOf !== undefined) {
    return principal.onBehalfOf.workspaceId;
  }
  throw unauthenticated("A credential of a workspace is required.");
}

/** The actor of this caller in histories. For a service, the actor for which it acts. */
export function actorOf(principal: Principal): Actor {
  switch (principal.kind) {
    case "user":
      return { kind: "user", id: principal.id };
    case "api_key":
      return { kind: "api_key", id: principal.id };
    case "service":
      return principal.onBehalfOf?.actor ?? { kind: "service", id: principal.name };
    case "anonymous":
      return { kind: "service", id: "anonymous" };
  }
}
