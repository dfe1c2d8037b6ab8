import {
  type ClientSession,
  defineRecords,
  embedded,
  embeddedActor,
  type Mongo,
  setOrUnset,
  timeBetween,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { Alert, AlertFilter } from "../../domain/alerts/alert.ts";

/** The Mongoose type of a Clone. */
export const embeddedClone = () =>
  embedded({
    reads: [
      embedded({
        ...{ readerId: String, zoneId: String, locationId: String, propertyId: String },
        ...{ at: Date, rssi: Number, eventId: String },
      }),
    ],
    travelSeconds: Number,
  });

type AlertKeys = {
  /** True until the alert is resolved: for the unique index on rule and subject. */
  unresolved: boolean;
  /** True until a newer alert of the rule for the subject is raised. */
  latest?: true | undefined;
  /** Of alerts of unknown tags. Those of assets and readers are kept. */
  expiresAt?: Date | undefined;
};

/** How long the alert of an unknown tag is kept after its last read. */
const UNKNOWN_KEPT_MS = 90 * 86_400_000;

export const alertRecords = defineRecords<Alert, AlertKeys>({
  collection: "alerts",
  name: "alert",
  fields: {
    ruleId: String,
    ruleName: String,
    ruleVersion: Number,
    status: String,
    subject: String,
    assetId: String,
    zoneId: String,
    readerId: String,
    clone: embeddedClone(),
    count: Number,
    firstAt: Date,
    lastAt: Date,
    acknowledgedAt: Date,
    acknowledgedBy: embeddedActor(),
    resolvedAt: Date,
    resolvedBy: embeddedActor(),
    rev: Number,
    order: embedded({ epoch: Number, sequence: Number }),
    superseded: Boolean,
  },
  beside: { unresolved: Boolean, latest: Boolean, expiresAt: Date },
  derive: keysOf,
  indexes: [
    {
      name: "one_unresolved",
      key: { workspaceId: 1, ruleId: 1, subject: 1 },
      unique: true,
      partialFilterExpression: { unresolved: true },
    },
    {
      name: "one_latest",
      key: { workspaceId: 1, subject: 1, ruleId: 1 },
      unique: true,
      partialFilterExpression: { latest: true },
    },
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "status", key: { workspaceId: 1, status: 1, _id: 1 } },
    { name: "rule", key: { workspaceId: 1, ruleId: 1, _id: 1 } },
    { name: "asset", key: { workspaceId: 1, assetId: 1, _id: 1 } },
    { name: "first_at", key: { workspaceId: 1, firstAt: 1, _id: 1 } },
    { name: "resolved", key: { workspaceId: 1, ruleId: 1, resolvedAt: 1, _id: 1 } },
  ],
});

/** A change of an alert, without a request of a user. */
type Judged = { before: Alert; after: Alert };

export function createAlertStore(mongo: Mongo) {
  const { collection, get, getMany, insert, insertMany, save, find, list } = alertRecords.store(mongo);
  return {
    insert,
    insertMany,
    save,
    get,
    getMany,

    list: (workspaceId: string, { from, to, ...equal }: AlertFilter, page: PageQuery): Promise<Page<Alert>> =>
      list(workspaceId, page, { filter: { ...equal, firstAt: timeBetween(from, to) } }),

    /** The newest alert of each of these rules for each of these subjects, resolved or not. */
    listLatest(
      workspaceId: string,
      ruleIds: string[],
      subjects: string[],
      session?: ClientSession,
    ): Promise<Alert[]> {
      const filter = { subject: { $in: subjects }, ruleId: { $in: ruleIds }, latest: true } as const;
      return find(workspaceId, filter, { session });
    },

    /** Unresolved alerts that earlier versions of a rule raised. */
    listOutdated: (
      workspaceId: string,
      ruleId: string,
      version: number,
      { limit, session }: { limit: number; session: ClientSession },
    ): Promise<Alert[]> =>
      find(
        workspaceId,
        {
          ruleId,
          unresolved: true,
          $or: [{ ruleVersion: { $lt: version } }, { ruleVersion: { $exists: false } }],
        },
        { session, limit },
      ),

    /** The newest alerts of a rule that were resolved within a time, in order of id. */
    listResolved: (
      workspaceId: string,
      ruleId: string,
      { after, until, afterId, limit }: { after: Date; until: Date; afterId: string; limit: number },
    ): Promise<Alert[]> =>
      find(
        workspaceId,
        { ruleId, resolvedAt: { $gt: after, $lte: until }, latest: true, _id: { $gt: afterId } },
        { sort: { _id: 1 }, limit },
      ),

    /**
     * Saves changes, each if the alert is still as it was before.
     * @returns how many were saved
     */
    async saveJudged(
      workspaceId: string,
      changes: readonly Judged[],
      session?: ClientSession,
    ): Promise<number> {
      if (changes.length === 0) return 0;
      const updates = changes.map(({ before, after }) => ({
        updateOne: {
          filter: {
            ...{ workspaceId, _id: before.id, rev: before.rev },
            "order.epoch": before.order.epoch,
            "order.sequence": before.order.sequence,
          },
          update: setOrUnset(changedFields(before, after)),
        },
      }));
      const { matchedCount } = await collection.bulkWrite(updates, { session, ordered: false });
      return matchedCount;
    },
  };
}

/** The fields that a sighting may change. A repeat changes only what is observed. */
function changedFields(before: Alert, alert: Alert): Record<string, unknown> {
  const { status, count, lastAt, resolvedAt, resolvedBy, rev, order, superseded } = alert;
  const { expiresAt, ...keys } = keysOf(alert);
  const observed = { count, lastAt, order, ...(expiresAt && { expiresAt }) };
  if (rev === before.rev && superseded === before.superseded) return observed;
  return { ...observed, status, resolvedAt, resolvedBy, rev, superseded, ...keys };
}

function keysOf({ status, superseded, subject, lastAt }: Alert): AlertKeys {
  const unknown = subject.startsWith("epc:");
  return {
    unresolved: status !== "resolved",
    latest: superseded ? undefined : true,
    expiresAt: unknown ? new Date(lastAt.getTime() + UNKNOWN_KEPT_MS) : undefined,
  };
}
