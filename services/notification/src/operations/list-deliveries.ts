import type { Page } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { invalid, isId, notFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import type { Delivery } from "../store/deliveries.ts";
import type { PageOf } from "../store/page.ts";

/** A page of a subscription's log, newest first. The cursor is the last id of the page before. */
export async function listDeliveries(
  { endpoints, deliveries }: Pick<Context, "endpoints" | "deliveries">,
  webhookId: string,
  query: PageOf,
  call: Call,
): Promise<Page<Delivery>> {
  const { page, limit, cursor } = query;
  if (cursor !== "" && !isId("dlv", cursor))
    throw invalid([{ field: "cursor", message: "is not one of ours" }]);
  const webhook = await endpoints.find(call.workspaceId, webhookId);
  if (webhook?.kind !== "subscription") throw notFound("There is no such webhook");
  const before = cursor === "" ? undefined : cursor;
  const {
    items,
    total,
    next = "",
  } = await deliveries.page(call.workspaceId, webhookId, { page, limit, before });
  return { items, page, limit, total, nextCursor: next };
}
