import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { BookState, BookStateChange } from "../../domain/ledger/book-state.ts";
import { bookStatePublished } from "../../published.ts";

/** New values of the state of an asset. Absent fields stay as they are; one that is undefined is removed. */
export type StateUpdate = {
  assetId: string;
  set: Partial<Pick<BookState, "nbv" | "accumulated" | "gainLoss" | "writeOff" | "deletedAt">>;
};

/**
 * Stores and publishes what assets are worth in book `book`, in the transaction of the change. At most 500 assets, each
 * once.
 */
export async function publishStates(
  { stores, outbox }: Context,
  session: ClientSession,
  updates: readonly StateUpdate[],
  {
    workspaceId,
    currency,
    change,
    at,
  }: { workspaceId: string; currency: string; change: BookStateChange; at: Date },
): Promise<void> {
  const ids = updates.map(({ assetId }) => assetId);
  const known = await stores.bookStates.getMany(workspaceId, ids, session);
  const changes = updates.map(({ assetId, set }) => {
    const before = known.get(assetId);
    const none = { id: assetId, workspaceId, currency, nbv: 0, accumulated: 0, rev: 0 };
    const after: BookState = { ...(before ?? none), ...set };
    return { before, after: { ...after, rev: after.rev + 1 } };
  });
  await stores.bookStates.insertMany(
    workspaceId,
    changes.flatMap(({ before, after }) => (before === undefined ? [after] : [])),
    session,
  );
  await stores.bookStates.saveMany(
    workspaceId,
    changes.flatMap(({ before, after }) => (before === undefined ? [] : [{ before, after }])),
    session,
  );
  await outbox.add(session, ...changes.map(({ after }) => bookStatePublished(after, change, at)));
}
