import { type ClientSession, listPage, type Mongo, type Page } from "@asset-register/mongo";
import type { Alert, AlertStatus } from "../domain/alert.ts";
import type { Order } from "../domain/sighting.ts";
import { mapPage, type PageOf } from "./page.ts";

type AlertDocument = {
  _id: string;
  workspaceId: string;
  rule_id: string;
  status: AlertStatus;
  /** True until it is resolved: what the unique index on rule and subject looks at. */
  unresolved: boolean;
  subject: string;
  asset_id?: string;
  zone_id?: string;
  reader_id?: string;
  count: number;
  first_at: Date;
  last_at: Date;
  acknowledged_at?: Date;
  resolved_at?: Date;
  rev: number;
  order: Order;
};

export const ALERTS = "alerts";

export type AlertStore = ReturnType<typeof createAlertStore>;

export function createAlertStore(mongo: Mongo) {
  const rows = mongo.collection<AlertDocument>(ALERTS);
  return {
    async insert(alert: Alert, session: ClientSession): Promise<void> {
      await rows.insertOne(toDocument(alert), { session });
    },

    /** Of one status or rule, or of all. */
    async list(
      workspaceId: string,
      only: { status: AlertStatus | undefined; ruleId: string | undefined },
      query: PageOf,
    ): Promise<Page<Alert>> {
      const filter = {
        ...(only.status === undefined ? {} : { status: only.status }),
        ...(only.ruleId === undefined ? {} : { rule_id: only.ruleId }),
      };
      return mapPage(await listPage(rows, { workspaceId, filter, ...query }), toAlert);
    },

    async find(workspaceId: string, id: string, session: ClientSession): Promise<Alert | undefined> {
      const row = await rows.findOne({ workspaceId, _id: id }, { session });
      return row === null ? undefined : toAlert(row);
    },

    /** The newest alert of a rule for a subject, resolved or not. */
    async latest(
      workspaceId: string,
      ruleId: string,
      subject: string,
      session: ClientSession,
    ): Promise<Alert | undefined> {
      const [row] = await rows
        .find({ workspaceId, rule_id: ruleId, subject }, { session })
        .sort({ "order.epoch": -1, "order.sequence": -1 })
        .limit(1)
        .toArray();
      return row === undefined ? undefined : toAlert(row);
    },

    async hasUnresolved(workspaceId: string, ruleId: string, subject: string): Promise<boolean> {
      const filter = { workspaceId, rule_id: ruleId, subject, unresolved: true };
      return (await rows.countDocuments(filter, { limit: 1 })) > 0;
    },

    /** Saves a changed alert over the one that was loaded; in a transaction another writer makes it start again. */
    async replace(alert: Alert, session: ClientSession): Promise<void> {
      const filter = { workspaceId: alert.workspaceId, _id: alert.id };
      await rows.replaceOne(filter, toDocument(alert), { session });
    },
  };
}

function toDocument(alert: Alert): AlertDocument {
  return {
    _id: alert.id,
    workspaceId: alert.workspaceId,
    rule_id: alert.ruleId,
    status: alert.status,
    unresolved: alert.status !== "resolved",
    subject: alert.subject,
    ...(alert.assetId === undefined ? {} : { asset_id: alert.assetId }),
    ...(alert.zoneId === undefined ? {} : { zone_id: alert.zoneId }),
    ...(alert.readerId === undefined ? {} : { reader_id: alert.readerId }),
    count: alert.count,
    first_at: alert.firstAt,
    last_at: alert.lastAt,
    ...(alert.acknowledgedAt === undefined ? {} : { acknowledged_at: alert.acknowledgedAt }),
    ...(alert.resolvedAt === undefined ? {} : { resolved_at: alert.resolvedAt }),
    rev: alert.rev,
    order: alert.order,
  };
}

function toAlert(row: AlertDocument): Alert {
  return {
    id: row._id,
    workspaceId: row.workspaceId,
    ruleId: row.rule_id,
    status: row.status,
    subject: row.subject,
    ...(row.asset_id === undefined ? {} : { assetId: row.asset_id }),
    ...(row.zone_id === undefined ? {} : { zoneId: row.zone_id }),
    ...(row.reader_id === undefined ? {} : { readerId: row.reader_id }),
    count: row.count,
    firstAt: row.first_at,
    lastAt: row.last_at,
    ...(row.acknowledged_at === undefined ? {} : { acknowledgedAt: row.acknowledged_at }),
    ...(row.resolved_at === undefined ? {} : { resolvedAt: row.resolved_at }),
    rev: row.rev,
    order: row.order,
  };
}
