import {
  type ClientSession,
  listPage,
  type Mongo,
  type Page,
  type TenantDocument,
} from "@asset-register/mongo";
import type { Sealed } from "@asset-register/runtime";
import type { ListQuery } from "../domain/list-query.ts";
import type { Reader, ReaderSecret } from "../domain/reader.ts";

/** As stored; the credential look-up reads the same collection. */
export type ReaderDocument = TenantDocument & {
  name: string;
  kind: Reader["kind"];
  zone_id?: string;
  location_id?: string;
  status: Reader["status"];
  created_at: Date;
  revoked_at?: Date;
  last_seen_at?: Date;
  /** When it was first heard after it had been away. */
  alive_since?: Date;
  /** When liveness was last told to others. */
  told_at?: Date;
  clock_skew_ms?: number;
  accepted: number;
  rejected: number;
  rev: number;
  sequence: number;
  secrets: { sealed: Sealed; ends_at?: Date }[];
  /** Rises whenever the secrets change; caches compare it. */
  secret_version: number;
};

/** A reader with what must never leave this service. */
export type ReaderWithSecrets = Reader & { secrets: ReaderSecret[]; secretVersion: number };

export type ReaderStore = ReturnType<typeof createReaderStore>;

/** Readers of a workspace. */
export function createReaderStore(mongo: Mongo) {
  const readers = mongo.collection<ReaderDocument>("readers");
  return {
    async insert(workspaceId: string, reader: ReaderWithSecrets, session: ClientSession): Promise<void> {
      await readers.insertOne({ ...toDocument(reader), workspaceId }, { session });
    },
    async get(
      workspaceId: string,
      id: string,
      session?: ClientSession,
    ): Promise<ReaderWithSecrets | undefined> {
      const found = await readers.findOne({ workspaceId, _id: id }, session ? { session } : {});
      return found === null ? undefined : withSecrets(found);
    },
    /** Readers of these ids that exist. */
    async getMany(workspaceId: string, ids: readonly string[], session?: ClientSession): Promise<Reader[]> {
      if (ids.length === 0) return [];
      const found = await readers
        .find({ workspaceId, _id: { $in: [...ids] } }, session ? { session } : {})
        .toArray();
      return found.map(toReader);
    },
    async list(workspaceId: string, query: ListQuery): Promise<Page<Reader>> {
      const page = await listPage(readers, { workspaceId, ...query });
      return { ...page, items: page.items.map(toReader) };
    },
    /** Stores a changed reader; false when another change came first. */
    async replace(workspaceId: string, before: Reader, after: ReaderWithSecrets, session: ClientSession) {
      const { _id, workspaceId: _, accepted: __, rejected: ___, ...fields } = toDocument(after);
      const { matchedCount } = await readers.updateOne(
        { workspaceId, _id, rev: before.rev, sequence: before.sequence },
        { $set: fields },
        { session },
      );
      return matchedCount === 1;
    },
    /** Puts readers into a zone and gives them back as they are now. */
    async assignZone(workspaceId: string, ids: readonly string[], zoneId: string, session: ClientSession) {
      const changed: Reader[] = [];
      for (const id of ids) {
        const after = await readers.findOneAndUpdate(
          { workspaceId, _id: id, zone_id: { $ne: zoneId } },
          { $set: { zone_id: zoneId }, $inc: { rev: 1, sequence: 1 } },
          { session, returnDocument: "after" },
        );
        if (after !== null) changed.push(toReader(after));
      }
      return changed;
    },
    /** Adds what was observed of readers, of whatever workspaces, in one call. */
    async observe(activities: readonly Activity[]): Promise<void> {
      if (activities.length === 0) return;
      await readers.bulkWrite(
        activities.map(({ workspaceId, readerId, at, accepted, rejected, skewMs }) => ({
          updateOne: {
            filter: { workspaceId, _id: readerId },
            update: [
              {
                $set: {
                  accepted: { $add: ["$accepted", accepted] },
                  rejected: { $add: ["$rejected", rejected] },
                  ...(at === undefined ? {} : heardAt(at)),
                  ...(skewMs === undefined ? {} : { clock_skew_ms: skewAfter(skewMs) }),
                },
              },
            ],
          },
        })),
        { ordered: false },
      );
    },
    /** Notes that a reader's liveness is told now, unless that was done after `since`. */
    async tell(workspaceId: string, id: string, at: Date, since: Date, session: ClientSession) {
      const after = await readers.findOneAndUpdate(
        { workspaceId, _id: id, told_at: { $not: { $gt: since } } },
        { $set: { told_at: at }, $inc: { sequence: 1 } },
        { session, returnDocument: "after" },
      );
      return after === null ? undefined : toReader(after);
    },
    async idsOf(workspaceId: string): Promise<string[]> {
      const found = await readers.find({ workspaceId }, { projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },
  };
}

/** What was observed of a reader since it was last written. */
export type Activity = {
  workspaceId: string;
  readerId: string;
  /** Absent when nothing of it was taken. */
  at?: Date;
  accepted: number;
  rejected: number;
  /** How far its clock was ahead, as the largest of the samples tells. */
  skewMs?: number;
};

/** A reader that was not heard for so long was away; it is written every 10 s. */
const AWAY_MS = 60_000;

function heardAt(at: Date) {
  const wasAway = { $gt: [{ $subtract: [at, "$last_seen_at"] }, AWAY_MS] };
  return {
    last_seen_at: { $max: ["$last_seen_at", at] },
    alive_since: { $cond: [wasAway, at, "$alive_since"] },
  };
}

/**
 * How much of a smaller sample is believed at once. One is written each 10 s: after a clock that was 300 s ahead
 * is set right its reads are late for 30 s and no longer, or its portal's tags would seem to have left.
 */
const SKEW_WEIGHT = 0.7;

/**
 * The stored estimate after a sample, as an expression, so that replicas share
 * it and a restart forgets nothing. A larger sample holds at once, since delay
 * only makes samples smaller; a smaller one for the most part. The first holds as it is.
 */
function skewAfter(sample: number) {
  const stored = "$clock_skew_ms";
  const towards = { $add: [stored, { $multiply: [SKEW_WEIGHT, { $subtract: [sample, stored] }] }] };
  return { $round: [{ $max: [sample, towards] }] };
}

/** A stored reader without its secrets. */
export function toReader(document: ReaderDocument): Reader {
  const { zone_id, location_id, revoked_at, last_seen_at, alive_since, clock_skew_ms } = document;
  return {
    id: document._id,
    workspaceId: document.workspaceId,
    name: document.name,
    kind: document.kind,
    status: document.status,
    createdAt: document.created_at,
    accepted: document.accepted,
    rejected: document.rejected,
    rev: document.rev,
    sequence: document.sequence,
    ...(zone_id === undefined ? {} : { zoneId: zone_id }),
    ...(location_id === undefined ? {} : { locationId: location_id }),
    ...(revoked_at === undefined ? {} : { revokedAt: revoked_at }),
    ...(last_seen_at === undefined ? {} : { lastSeenAt: last_seen_at }),
    ...(alive_since === undefined ? {} : { aliveSince: alive_since }),
    ...(clock_skew_ms === undefined ? {} : { clockSkewMs: clock_skew_ms }),
  };
}

/** The secrets of a stored reader. */
export function toSecrets(document: Pick<ReaderDocument, "secrets">): ReaderSecret[] {
  return document.secrets.map(({ sealed, ends_at }) => ({
    sealed,
    ...(ends_at === undefined ? {} : { endsAt: ends_at }),
  }));
}

function withSecrets(document: ReaderDocument): ReaderWithSecrets {
  return { ...toReader(document), secrets: toSecrets(document), secretVersion: document.secret_version };
}

function toDocument(reader: ReaderWithSecrets): ReaderDocument {
  const { zoneId, locationId, revokedAt } = reader;
  return {
    _id: reader.id,
    workspaceId: reader.workspaceId,
    name: reader.name,
    kind: reader.kind,
    status: reader.status,
    created_at: reader.createdAt,
    accepted: reader.accepted,
    rejected: reader.rejected,
    rev: reader.rev,
    sequence: reader.sequence,
    secrets: reader.secrets.map(({ sealed, endsAt }) => ({
      sealed,
      ...(endsAt === undefined ? {} : { ends_at: endsAt }),
    })),
    secret_version: reader.secretVersion,
    ...(zoneId === undefined ? {} : { zone_id: zoneId }),
    ...(locationId === undefined ? {} : { location_id: locationId }),
    ...(revokedAt === undefined ? {} : { revoked_at: revokedAt }),
  };
}
