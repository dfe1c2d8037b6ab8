import {
  type ClientSession,
  defineWorkRecords,
  embedded,
  embeddedActor,
  failureOf,
  type Mongo,
  type WorkDocument,
  type WorkView,
} from "@asset-register/mongo";
import type { Backtest } from "../../domain/backtests/backtest.ts";

/** How far the work is: the cursor of the sightings, then the last subject whose silence was judged. */
type Place = { cursor?: string | undefined; closing?: boolean | undefined; lastSubject?: string | undefined };

export type BacktestDocument = WorkDocument<Backtest, Place>;

/** The unique index that a second running backtest of a workspace would violate. */
export const ONE_RUNNING = "running";

export const backtestRecords = defineWorkRecords<Backtest, Place>({
  collection: "backtests",
  name: "backtest",
  fields: {
    rule: embedded({ scopeType: String, scopeId: String, condition: Object, cooldownSeconds: Number }),
    from: Date,
    to: Date,
    sightings: Number,
    alerts: Number,
    spared: Number,
    days: [embedded({ date: String, alerts: Number })],
    subjects: [embedded({ subject: String, assetId: String, alerts: Number })],
    firstAlerts: [
      embedded({
        ...{ subject: String, assetId: String, at: Date, kind: String, seenAt: Date },
        ...{ eventId: String, zoneId: String, readerId: String },
      }),
    ],
    createdAt: Date,
    createdBy: embeddedActor(),
    expiresAt: Date,
  },
  beside: { cursor: String, closing: Boolean, lastSubject: String },
  indexes: [
    {
      ...{ name: ONE_RUNNING, key: { workspaceId: 1 }, unique: true },
      partialFilterExpression: { status: "running" },
    },
  ],
});

export type BacktestView = WorkView<Backtest>;

export function createBacktestStore(mongo: Mongo) {
  const { collection, insert, toRecord } = backtestRecords.store(mongo);
  const toView = (document: BacktestDocument): BacktestView => ({
    ...toRecord(document),
    error: failureOf(document),
  });
  return {
    toView,

    insert: (workspaceId: string, backtest: Backtest, session: ClientSession): Promise<void> =>
      insert(workspaceId, backtest, session),

    async setSubjects(
      workspaceId: string,
      id: string,
      subjects: Backtest["subjects"],
      session: ClientSession,
    ): Promise<void> {
      await collection.updateOne(
        { workspaceId, _id: id },
        { $set: { subjects } },
        { session, ignoreUndefined: true },
      );
    },

    async get(workspaceId: string, id: string): Promise<BacktestView | undefined> {
      const found = await collection.findOne<BacktestDocument>({ workspaceId, _id: id });
      return found === null ? undefined : toView(found);
    },
  };
}
