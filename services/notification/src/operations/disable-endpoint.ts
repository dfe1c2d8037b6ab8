import type { Context } from "../context.ts";
import type { Endpoint } from "../store/endpoints.ts";

/** Turns an endpoint off, because it said 410 or only failed for days, and leaves a notice of it, once. */
export async function disableEndpoint(
  parts: Pick<Context, "mongo" | "endpoints" | "notices">,
  endpoint: Pick<Endpoint, "id" | "workspaceId">,
  reason: "gone" | "failing",
): Promise<void> {
  const { id: endpointId, workspaceId } = endpoint;
  await parts.mongo.transaction({}, async (session) => {
    if (!(await parts.endpoints.disable(workspaceId, endpointId, session))) return;
    const notice = { kind: "endpoint_disabled", endpointId, reason, at: new Date() } as const;
    await parts.notices.insert(workspaceId, notice, session);
  });
}
