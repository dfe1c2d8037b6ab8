import type { Capability, Principal } from "@asset-register/rpc";
import { type AppError, newId, toAppError } from "@asset-register/runtime";

/** The options of a call by somebody. */
export type Caller = { principal: Principal };

/** New callers of a workspace. */
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
  apiKey: (workspaceId: string, ...scopes: string[]): Caller => ({
    principal: { kind: "api_key", workspaceId, id: newId("key"), scopes },
  }),
};

/** The AppError that a call fails with; undefined when it succeeds. */
export async function failure(call: Promise<unknown>): Promise<AppError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return toAppError(error);
  }
}

/** The code of that error. */
export async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return (await failure(call))?.code;
}
