import type { ClientSession, Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { sleep } from "@asset-register/runtime";
import { beginEpoch } from "./epoch.ts";
import { createOutbox, outboxRows } from "./outbox.ts";
import type { OutgoingEvent } from "./row.ts";

export type RepublishRequest = {
  mongo: Mongo;
  /** The session of the transaction that also writes the events. */
  session: ClientSession;
  /** Only records of this workspace. Undefined means all workspaces. */
  workspaceId: string | undefined;
  /** The `next` of the previous page. */
  after: string | undefined;
  limit: number;
};

/** `next` is undefined on the last page. */
export type RepublishPage = { events: OutgoingEvent[]; next: string | undefined };

/**
 * Reads the next page of records in order of their ids. Returns the current state of each as an event with its
 * current sequence. Create it with republishRecords.
 */
export type Republish = (request: RepublishRequest) => Promise<RepublishPage>;

/** The exports of `services/<name>/src/republish.ts`: `republish`, by the topic's name without prefix. */
export type RepublishModule = { republish: Readonly<Record<string, Republish>> };

const REPUBLISHED = ".republished";

/** Whether an event has a current state, and says of no change. */
export const isRepublished = ({ type }: { type: string }): boolean => type.endsWith(REPUBLISHED);

type LockedRecord = { _id: string; workspaceId: string; republishedAt?: Date };

/**
 * Reads the current states of records of one workspace in the session, and returns them as events. A record may have
 * no event.
 */
export type ReadStates = (
  mongo: Mongo,
  workspaceId: string,
  ids: string[],
  session: ClientSession,
) => Promise<OutgoingEvent[]>;

/** Creates a Republish for the records of a collection. Each page is write-locked while its events are written. */
export function republishRecords(collection: string, read: ReadStates): Republish {
  return async (request) => {
    const { mongo, session } = request;
    const { records, next } = await lockPage(collection, request);
    const events: OutgoingEvent[] = [];
    for (const [workspaceId, own] of Map.groupBy(records, (record) => record.workspaceId)) {
      const ids = own.map(({ id }) => id);
      events.push(...(await read(mongo, workspaceId, ids, session)));
    }
    return { events, next };
  };
}

/**
 * Reads the next records of a collection and write-locks them until the transaction ends. So the event contains a
 * concurrent change, or the event of that change follows it in the outbox.
 */
async function lockPage(
  collection: string,
  { mongo, session, workspaceId, after, limit }: RepublishRequest,
): Promise<{ records: { workspaceId: string; id: string }[]; next: string | undefined }> {
  const rows = systemCollection<LockedRecord>(mongo, collection);
  const page = await rows
    .find(
      {
        ...(workspaceId === undefined ? {} : { workspaceId }),
        ...(after === undefined ? {} : { _id: { $gt: after } }),
      },
      { session },
    )
    .project<LockedRecord>({ workspaceId: 1 })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  const ids = page.map(({ _id }) => _id);
  await rows.updateMany({ _id: { $in: ids } }, [{ $set: { republishedAt: "$$NOW" } }], { session });
  return {
    records: page.map(({ _id, workspaceId }) => ({ workspaceId, id: _id })),
    next: page.length === limit ? ids.at(-1) : undefined,
  };
}

/** Limit of waiting rows: the republication of a million records must not write a million rows at once. */
const MAX_WAITING = 5_000;

/** Consumers of what happened skip it by this type. The epoch does not tell, because later changes carry it too. */
const asRepublished = (event: OutgoingEvent): OutgoingEvent => ({
  ...event,
  type: `${event.topic.name.replace(/[.]v\d+$/, "")}${REPUBLISHED}`,
});

/**
 * Writes the current state of all records of a topic to the outbox, under a new
 * epoch. The epoch takes precedence over sequences that consumers have seen.
 * It is safe to repeat. Returns the epoch and the number of written events.
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
      await outbox.add(session, ...read.events.map(asRepublished));
      return read;
    });
    written += page.events.length;
    onPage?.(written);
    after = page.next;
  } while (after !== undefined);
  return { epoch, written };
}
