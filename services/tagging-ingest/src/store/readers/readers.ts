import {
  type ClientSession,
  definedOnly,
  defineRecords,
  embedded,
  type Mongo,
  type RecordDocument,
  setOrUnset,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { SlowClock } from "../../domain/ingest/slow-clock.ts";
import type { ReadCounts } from "../../domain/readers/ignored-counts.ts";
import {
  observedFields,
  type PlacedReader,
  type Reader,
  type ReaderFilter,
  type ReaderWithSecrets,
  SILENT_MS,
  silenceBefore,
} from "../../domain/readers/reader.ts";
import type { Observed } from "../../domain/readers/reader-activity.ts";
import type { MinuteCount } from "../../domain/readers/reader-health.ts";

/**
 * When the liveness was last published and with which sequence, what is known of a slow clock, the counts of the last minutes, by the minute
 * modulo SLOTS, those of its reads (read-counts.ts), whether its tags are disarmed and when it was last heard before that; see silent-readers.ts.
 */
type ReaderBookkeeping = {
  publishedAt: Date;
  livenessSequence: number;
  slowClock: SlowClock;
  minutes: Readonly<Record<string, HealthMinute>>;
  readCounts: Readonly<Record<string, ReadCounts>>;
  disarmed: boolean;
  silentSince: Date;
};

/** The counts of a minute that the health of a reader needs. */
type HealthMinute = Omit<MinuteCount, "duplicate">;

/** More than the 15 minutes that are read: the oldest slot is overwritten. */
const SLOTS = 16;

/** Filters of reads in a document. */
export const readFilters = () => [embedded({ action: String, prefix: String, bits: Number })];

export type ReaderDocument = RecordDocument<ReaderWithSecrets, ReaderBookkeeping>;

export const readerRecords = defineRecords<ReaderWithSecrets, ReaderBookkeeping>({
  collection: "readers",
  name: "reader",
  fields: {
    name: String,
    kind: String,
    zoneId: String,
    locationId: String,
    autoMove: Boolean,
    antennas: [
      embedded({ antenna: Number, name: String, zoneId: String, locationId: String, minRssi: Number }),
    ],
    filters: readFilters(),
    referenceEpcs: [String],
    referencesSince: Date,
    status: String,
    createdAt: Date,
    revokedAt: Date,
    lastSeenAt: Date,
    aliveSince: Date,
    clockSkewMs: Number,
    health: embedded({ state: String, reasons: [String], since: Date, changedAt: Date }),
    accepted: Number,
    rejected: Number,
    rev: Number,
    sequence: Number,
    secrets: [embedded({ sealed: embedded({ keyId: String, nonce: Buffer, data: Buffer }), endsAt: Date })],
    secretVersion: Number,
  },
  beside: {
    publishedAt: Date,
    livenessSequence: Number,
    slowClock: Object,
    minutes: Object,
    readCounts: Object,
    disarmed: Boolean,
    silentSince: Date,
  },
  observed: observedFields,
  // None has an observed field: each write of what was observed would change it.
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "zone", key: { workspaceId: 1, zoneId: 1, _id: 1 } },
    { name: "antennaZone", key: { workspaceId: 1, "antennas.zoneId": 1, _id: 1 } },
    { name: "kind", key: { workspaceId: 1, kind: 1, _id: 1 } },
    { name: "status", key: { workspaceId: 1, status: 1, _id: 1 } },
    { name: "kindStatus", key: { workspaceId: 1, kind: 1, status: 1, _id: 1 } },
  ],
});

/** The observed activity of a reader since its row was last written. */
export type Activity = Observed & {
  workspaceId: string;
  readerId: string;
  /** When it was heard in a minute that is published in the same transaction. */
  publishedAt?: Date | undefined;
  /** Of that event. */
  livenessSequence?: number | undefined;
  /** The estimate of its clock after the delays. */
  slowClock?: SlowClock | undefined;
};

export function createReaderStore(mongo: Mongo) {
  const { collection, model, get, getMany, insert, save, find, list } = readerRecords.store(mongo);

  return {
    insert,
    save,
    get,
    getMany,

    /** Few fields, without secrets: the hot path of reads asks for any number of readers. */
    async getPlaces(workspaceId: string, ids: readonly string[]): Promise<PlacedReader[]> {
      const projection = {
        kind: 1,
        zoneId: 1,
        locationId: 1,
        autoMove: 1,
        antennas: 1,
        filters: 1,
        referenceEpcs: 1,
        clockSkewMs: 1,
      };
      const found = await collection
        .find({ workspaceId, _id: { $in: [...ids] } }, { projection, batchSize: 10_000 })
        .toArray();
      return found.map((row) => {
        const {
          _id: id,
          kind,
          zoneId,
          locationId,
          autoMove,
          antennas,
          filters,
          referenceEpcs,
          clockSkewMs,
        } = row;
        return { id, kind, zoneId, locationId, autoMove, antennas, filters, referenceEpcs, clockSkewMs };
      });
    },

    /** In no order. */
    async names(workspaceId: string, ids: readonly string[]): Promise<Pick<Reader, "id" | "name">[]> {
      if (ids.length === 0) return [];
      const found = collection.find({ workspaceId, _id: { $in: [...ids] } }, { projection: { name: 1 } });
      return (await found.toArray()).map(({ _id, name }) => ({ id: _id, name }));
    },

    list(workspaceId: string, filter: ReaderFilter, now: Date, page: PageQuery): Promise<Page<Reader>> {
      const { silent, zoneId, ...fields } = definedOnly(filter);
      const isSilent = { $and: [LISTENING, { $or: silentSince(silenceBefore(now)) }] };
      return list(workspaceId, page, {
        filter: {
          ...fields,
          ...(zoneId !== undefined && inZone(zoneId)),
          ...(silent !== undefined && (silent ? isSilent : { $nor: [isSilent] })),
        },
        boundTo: definedOnly(filter),
      });
    },

    /** The counts of the last minutes of a reader. */
    async minutesOf(workspaceId: string, id: string): Promise<HealthMinute[]> {
      const row = await collection.findOne({ workspaceId, _id: id }, { projection: { minutes: 1 } });
      return Object.values(row?.minutes ?? {});
    },

    async listIds(workspaceId: string): Promise<string[]> {
      const found = await collection.find({ workspaceId }, { projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },

    /** Puts readers into a zone, or into none. Returns those that changed. */
    async assignZone(
      workspaceId: string,
      ids: readonly string[],
      zoneId: string | undefined,
      session: ClientSession,
    ): Promise<Reader[]> {
      const elsewhere = zoneId === undefined ? { $exists: true } : { $ne: zoneId };
      const moving = await find(workspaceId, { _id: { $in: [...ids] }, zoneId: elsewhere }, { session });
      if (moving.length === 0) return [];
      const chosen = { _id: { $in: moving.map(({ id }) => id) } };
      const update = { ...setOrUnset({ zoneId }), $inc: { rev: 1, sequence: 1 } };
      await model.updateMany({ workspaceId, ...chosen }, update, { session });
      return find(workspaceId, chosen, { session });
    },

    /** Adds what was observed of readers of any workspaces. Native, because Mongoose can't check pipelines. */
    async observe(activities: readonly Activity[], session?: ClientSession): Promise<void> {
      if (activities.length === 0) return;
      await collection.bulkWrite(
        activities.map((activity) => ({
          updateOne: {
            filter: { workspaceId: activity.workspaceId, _id: activity.readerId },
            update: [{ $set: rowAfter(activity) }],
          },
        })),
        { session },
      );
    },
  };
}

/** The readers of a zone, also with one of their antennas. */
export const inZone = (zoneId: string) => ({ $or: [{ zoneId }, { "antennas.zoneId": zoneId }] });

/** The readers that can be silent. */
const LISTENING = { kind: "fixed_portal", status: "active" } as const;

/** Readers that were heard last before an instant. One that was never heard is silent since its creation. */
const silentSince = (before: Date) => [
  { lastSeenAt: { $lt: before } },
  { lastSeenAt: { $exists: false }, createdAt: { $lt: before } },
];

function rowAfter({
  at,
  accepted,
  rejected,
  skewMs,
  publishedAt,
  livenessSequence,
  slowClock,
  minutes = [],
}: Activity): Record<string, object> {
  return {
    accepted: { $add: ["$accepted", accepted] },
    rejected: { $add: ["$rejected", rejected] },
    ...(at && heardAt(at)),
    ...(publishedAt && { publishedAt, livenessSequence: { $literal: livenessSequence } }),
    ...(skewMs !== undefined && { clockSkewMs: skewAfter(skewMs) }),
    ...(slowClock && { slowClock: { $literal: slowClock } }),
    ...(slowClock && slowClock.slowMs > 0 && { clockSkewMs: { $literal: -slowClock.slowMs } }),
    ...Object.assign({}, ...minutes.map(slotAfter)),
  };
}

/** The slot of a minute after these counts. A slot of an earlier minute begins again. Health needs no repeats. */
function slotAfter({ minute, accepted, rejected }: MinuteCount): Record<string, object> {
  const slot = `minutes.${minute % SLOTS}`;
  const kept = (field: string, otherwise: unknown) => ({
    $cond: [{ $eq: [`$${slot}.minute`, minute] }, { $ifNull: [`$${slot}.${field}`, otherwise] }, otherwise],
  });
  const codes = Object.entries(rejected).map(([code, number]) => [
    code,
    { $add: [kept(`rejected.${code}`, 0), number] },
  ]);
  return {
    [slot]: {
      minute,
      accepted: { $add: [kept("accepted", 0), accepted] },
      rejected: { $mergeObjects: [kept("rejected", {}), Object.fromEntries(codes)] },
    },
  };
}

function heardAt(at: Date) {
  const wasSilent = { $gt: [{ $subtract: [at, "$lastSeenAt"] }, SILENT_MS] };
  return {
    lastSeenAt: { $max: ["$lastSeenAt", at] },
    aliveSince: { $cond: [wasSilent, at, "$aliveSince"] },
  };
}

/**
 * The weight of a sample that is smaller than the estimate. A sample is written every 10 s, so a clock that was 300 s ahead
 * and is put right looks right after a minute.
 */
const SKEW_WEIGHT = 0.7;

/**
 * The estimate of the clock skew after a sample. A larger sample replaces the estimate, because delay only makes samples
 * smaller. A smaller one has SKEW_WEIGHT. The first sample is the estimate. It is an expression of the database: so
 * replicas share the estimate, and it survives a restart.
 */
function skewAfter(sample: number) {
  const stored = "$clockSkewMs";
  const towards = { $add: [stored, { $multiply: [SKEW_WEIGHT, { $subtract: [sample, stored] }] }] };
  return { $round: [{ $max: [sample, towards] }] };
}
