import { newId, toAppError } from "@asset-register/runtime";
/** New callers of a workspace. */
export const caller = {
  /** A signed-in user. */
  user: (workspaceId, ...capabilities) => ({
    principal: {
      kind: "user",
      workspaceId,
      id: newId("usr"),
      sessionId: newId("ses"),
      deviceUuid: "",
      capabilities,
    },
  }),
  apiKey: (workspaceId, ...scopes) => ({
    principal: { kind: "api_key", workspaceId, id: newId("key"), scopes },
  }),
};
/** The AppError that a call fails with; undefined when it succeeds. */
export async function failure(call) {
  try {
    await call;
    return undefined;
  } catch (error) {
    return toAppError(error);
  }
}
/** The code of that error. */
export async function codeOf(call) {
  return (await failure(call))?.code;
}
