import { type ClientSession, listPage, type Mongo, type Page } from "@asset-register/mongo";
import type { AlertRule, Channel, Condition, Scope } from "../domain/alert-rule.ts";
import { mapPage, type PageOf } from "./page.ts";

type AlertRuleDocument = {
  _id: string;
  workspaceId: string;
  name: string;
  scope: { type: Scope["type"]; id?: string };
  condition: { type: Condition["type"]; zone_id?: string };
  channel: Channel;
  channel_target?: string;
  enabled: boolean;
  cooldown_seconds: number;
  created_at: Date;
  rev: number;
};

export const ALERT_RULES = "alert_rules";

export type AlertRuleStore = ReturnType<typeof createAlertRuleStore>;

export function createAlertRuleStore(mongo: Mongo) {
  const rows = mongo.collection<AlertRuleDocument>(ALERT_RULES);
  return {
    async insert(rule: AlertRule, session: ClientSession): Promise<void> {
      await rows.insertOne(toDocument(rule), { session });
    },

    async list(workspaceId: string, query: PageOf): Promise<Page<AlertRule>> {
      return mapPage(await listPage(rows, { workspaceId, ...query }), toAlertRule);
    },

    async count(workspaceId: string, session: ClientSession): Promise<number> {
      return rows.countDocuments({ workspaceId }, { session });
    },

    async enabled(workspaceId: string): Promise<AlertRule[]> {
      return (await rows.find({ workspaceId, enabled: true }).toArray()).map(toAlertRule);
    },
  };
}

function toDocument(rule: AlertRule): AlertRuleDocument {
  const { scope, condition } = rule;
  return {
    _id: rule.id,
    workspaceId: rule.workspaceId,
    name: rule.name,
    scope: scope.type === "all" ? { type: "all" } : { type: scope.type, id: scope.id },
    condition:
      condition.type === "unknown_tag"
        ? { type: "unknown_tag" }
        : { type: condition.type, zone_id: condition.zoneId },
    channel: rule.channel,
    ...(rule.channelTarget === undefined ? {} : { channel_target: rule.channelTarget }),
    enabled: rule.enabled,
    cooldown_seconds: rule.cooldownSeconds,
    created_at: rule.createdAt,
    rev: rule.rev,
  };
}

function toAlertRule(row: AlertRuleDocument): AlertRule {
  const { scope, condition } = row;
  return {
    id: row._id,
    workspaceId: row.workspaceId,
    name: row.name,
    scope: scope.type === "all" ? { type: "all" } : { type: scope.type, id: scope.id ?? "" },
    condition:
      condition.type === "unknown_tag"
        ? { type: "unknown_tag" }
        : { type: condition.type, zoneId: condition.zone_id ?? "" },
    channel: row.channel,
    ...(row.channel_target === undefined ? {} : { channelTarget: row.channel_target }),
    enabled: row.enabled,
    cooldownSeconds: row.cooldown_seconds,
    createdAt: row.created_at,
    rev: row.rev,
  };
}
