import type { ClientSession, Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { sleep } from "@asset-register/runtime";
import { beginEpoch } from "./epoch.ts";
import { createOutbox, outboxRows } from "./outbox.ts";
import type { OutgoingEvent } from "./row.ts";

export type RepublishRequest = {
  mongo: Mongo;
  /** Of the transaction that also writes the events. */
  session: ClientSession;
  /** Only this workspace's things. */
  workspaceId: string | undefined;
  /** The last page's `next`. */
  after: string | undefined;
  limit: number;
};

/** `next` is undefined on the last page. */
export type RepublishPage = { events: OutgoingEvent[]; next: string | undefined };

/**
 * Reads the next records of a topic in order of their ids, and makes the current state of each an event with its
 * current sequence. Made by republishRecords.
 */
export type Republish = (request: RepublishRequest) => Promise<RepublishPage>;

/** What `services/<name>/src/republish.ts` exports: `republish`, by the topic's name without prefix. */
export type RepublishModule = { republish: Readonly<Record<string, Republish>> };

type Thing = { _id: string; workspaceId: string; republishedAt?: Date };

/** The current states of records of one workspace as events, read in the session. Those it leaves out have none. */
export type ReadStates = (
  mongo: Mongo,
  workspaceId: string,
  ids: string[],
  session: ClientSession,
) => Promise<OutgoingEvent[]>;

/** Republishes the records of a collection, page by page under a lock. */
export function republishRecords(collection: string, read: ReadStates): Republish {
  return async (request) => {
    const { mongo, session } = request;
    const { things, next } = await lockPage(collection, request);
    const events: OutgoingEvent[] = [];
    for (const [workspaceId, own] of Map.groupBy(things, (thing) => thing.workspaceId)) {
      const ids = own.map(({ id }) => id);
      events.push(...(await read(mongo, workspaceId, ids, session)));
    }
    return { events, next };
  };
}

/**
 * The next records of a collection, write-locked until the transaction ends. So a change at the same moment comes
 * either before the event, which then carries it, or after it in the outbox.
 */
async function lockPage(
  collection: string,
  { mongo, session, workspaceId, after, limit }: RepublishRequest,
): Promise<{ things: { workspaceId: string; id: string }[]; next: string | undefined }> {
  const rows = systemCollection<Thing>(mongo, collection);
  const page = await rows
    .find(
      {
        ...(workspaceId === undefined ? {} : { workspaceId }),
        ...(after === undefined ? {} : { _id: { $gt: after } }),
      },
      { session },
    )
    .project<Thing>({ workspaceId: 1 })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  const ids = page.map(({ _id }) => _id);
  await rows.updateMany({ _id: { $in: ids } }, [{ $set: { republishedAt: "$$NOW" } }], { session });
  return {
    things: page.map(({ _id, workspaceId }) => ({ workspaceId, id: _id })),
    next: page.length === limit ? ids.at(-1) : undefined,
  };
}

/** So many rows may wait: a million things must not become a million rows at once. */
const MAX_WAITING = 5_000;

/**
 * Writes the current state of all things of a topic to the outbox, under a new
 * epoch that overrides the sequences that consumers have seen. Safe to repeat.
 * Answers the epoch and how many events it wrote.
 */
export async function republishAll(
  mongo: Mongo,
  republish: Republish,
  {
    workspaceId,
    pageSize = 200,
    signal,
    onPage,
  }: {
    workspaceId?: string;
    pageSize?: number;
    signal?: AbortSignal;
    onPage?: (written: number) => void;
  } = {},
): Promise<{ epoch: number; written: number }> {
  const outbox = createOutbox(mongo);
  const epoch = await beginEpoch(mongo);
  let written = 0;
  let after: string | undefined;
  do {
    while ((await outboxRows(mongo).countDocuments({}, { limit: MAX_WAITING })) >= MAX_WAITING)
      await sleep(250, signal);
    signal?.throwIfAborted();
    const from = after;
    const page = await mongo.transaction({}, async (session) => {
      const read = await republish({ mongo, session, workspaceId, after: from, limit: pageSize });
      await outbox.add(session, ...read.events);
      return read;
    });
    written += page.events.length;
    onPage?.(written);
    after = page.next;
  } while (after !== undefined);
  return { epoch, written };
}
