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

/** Who caused a change: stands in histories and events. */
export type Actor = { kind: "user" | "api_key" | "reader" | "service" | "operator"; id: string };

/** For whom a service acts. */
export type OnBehalfOf = { workspaceId: string; actor: Actor };

/** Who calls. Users and API keys are vouched for by the gateway, services by themselves. */
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

/** Whether the caller is a user with this capability; an admin holds all. */
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

/** The workspace of the credential. @throws AppError unauthenticated when the credential has none. */
export function workspaceOf(principal: Principal): string {
  if (principal.kind === "user" || principal.kind === "api_key") return principal.workspaceId;
  if (principal.kind === "service" && principal.onBehalfOf !== undefined) {
    return principal.onBehalfOf.workspaceId;
  }
  throw unauthenticated("A credential of a workspace is needed");
}

/** Who stands in the history for what this caller does: for a service, the one it acts for. */
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
