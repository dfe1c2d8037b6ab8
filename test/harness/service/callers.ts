import type { Capability, Principal } from "@asset-register/rpc";
import { type AppError, newId, toAppError } from "@asset-register/runtime";

/** Call options that contain the caller. */
export type Caller = { principal: Principal };

/** Makes new callers of a workspace. */
export const caller = {
  /** A signed-in user. */
  user: (workspaceId: string, ...capabilities: Capability[]): Caller => ({
    principal: {
      kind: "user",
      workspaceId,
      id: newId("usr"),
      sessionId: newId("ses"),
      deviceUuid: "",
      capabilities,
    },
  }),
  /** An API key. */
  apiKey: (workspaceId: string, ...scopes: string[]): Caller => ({
    principal: { kind: "api_key", workspaceId, id: newId("key"), scopes },
  }),
};

/** The same user in another session. */
export function inAnotherSession({ principal }: Caller): Caller {
  return { principal: { ...principal, ...(principal.kind === "user" && { sessionId: newId("ses") }) } };
}

/** The AppError of a failed call. Undefined if the call succeeds. */
export async function failure(call: Promise<unknown>): Promise<AppError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return toAppError(error);
  }
}

/** The error code of a failed call. Undefined if the call succeeds. */
export async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return (await failure(call))?.code;
}
