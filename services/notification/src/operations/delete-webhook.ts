import type { Call } from "@asset-register/rpc";
import { notFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";

/** Ends a subscription. What waits for it is dropped by the worker that next looks. */
export async function deleteWebhook(
  parts: Pick<Context, "mongo" | "endpoints">,
  id: string,
  call: Call,
): Promise<void> {
  await parts.mongo.transaction(call, async (session) => {
    const deleted = await parts.endpoints.deleteSubscription(call.workspaceId, id, session);
    if (!deleted) throw notFound("There is no such webhook");
  });
}
