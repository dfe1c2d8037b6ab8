import type { Call, Page, PageQuery, Principal } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Notice } from "../../store/alerts/notices.ts";

/** A notice, and when the caller read it. */
export type ReadNotice = Notice & { readAt?: Date | undefined };

/** Whether notices are shown to a caller: to users who look after alerts. */
const seesNotices = (principal: Principal): boolean =>
  principal.kind === "user" &&
  (principal.capabilities.includes("alerts") || principal.capabilities.includes("admin"));

/** The notices of the workspace, the newest first. Other callers see none. */
export async function listNotices(
  { stores }: Context,
  page: PageQuery,
  call: Call,
): Promise<Page<ReadNotice>> {
  const { workspaceId, actor } = call;
  if (!seesNotices(call.principal)) return { items: [], page: page.page, limit: page.limit, total: 0 };
  const found = await stores.notices.list(workspaceId, page);
  const ids = found.items.map(({ id }) => id);
  const times = await stores.notices.readTimes(workspaceId, actor.id, ids);
  return { ...found, items: found.items.map((notice) => ({ ...notice, readAt: times.get(notice.id) })) };
}

/**
 * Marks a notice as read by the caller. Repeating it changes nothing. A caller who does not see the list may mark a
 * notice too: the capability is the same, and the mark concerns nobody else.
 */
export async function markNoticeRead(
  { mongo, stores, now }: Context,
  { id }: { id: string },
  call: Call,
): Promise<ReadNotice> {
  const { workspaceId, actor } = call;
  const notice = requireFound(await stores.notices.get(workspaceId, id), "notice");
  // The whole notice is returned, since a repeat with the same Idempotency-Key gets what the transaction returned.
  return mongo.transaction(call, async (session) => {
    const mark = { userId: actor.id, noticeId: id, readAt: now() };
    return { ...notice, readAt: await stores.notices.markRead(workspaceId, mark, session) };
  });
}
