import { topics } from "@asset-register/proto/topics";
import {
  type AlertRule,
  isInScope,
} from "../../../../services/notification/src/domain/alert-rules/alert-rule.ts";
import {
  conditionText,
  silenceOf,
  silentSubjectOf,
} from "../../../../services/notification/src/domain/alert-rules/condition.ts";
import { isCoolingDown } from "../../../../services/notification/src/domain/alerts/alert.ts";
import { isDegraded, isWatched } from "../../../../services/notification/src/domain/alerts/watched-reader.ts";
import { createAlertStore } from "../../../../services/notification/src/store/alerts/alerts.ts";
import { createAssetStore } from "../../../../services/notification/src/store/projections/assets.ts";
import { createFirstReadingStore } from "../../../../services/notification/src/store/projections/first-readings.ts";
import { lastSightingRecords } from "../../../../services/notification/src/store/projections/last-sightings.ts";
import { readerProjection } from "../../../../services/notification/src/store/projections/readers.ts";
import { followAlert } from "./alert.ts";
import { passed, type Step, type Steps, stopped, waits } from "./step.ts";
import type { Tools } from "./tools.ts";

/**
 * Since when a subject of a rule about silence is silent, or a reader is degraded, or the step that keeps it from being judged.
 * `newsSince`: when it became news again, if that was later.
 */
type Silence = { since: Date; newsSince?: Date } | { step: Step };

/** Why the silence of an asset or a reader, or the health of a reader, has raised no alert. */
export async function* followSilence(tools: Tools, rule: AlertRule, subject: string): Steps {
  const of = silentSubjectOf(rule.condition) ?? "asset";
  const silence = await silences[of](tools, rule, subject);
  if ("step" in silence) {
    yield silence.step;
    return;
  }
  const { since, newsSince = since } = silence;
  const due = new Date(since.getTime() + (silenceOf(rule.condition) ?? 0));
  const isHealth = of === "health";
  const heard = `${subject} is ${isHealth ? "degraded" : "silent"} since ${since.toISOString()}.`;
  if (due > new Date()) {
    yield waits(
      "silence",
      `${heard} The rule (${conditionText(rule.condition)}${isHealth ? "" : ", and 70 s"}) fires at ${due.toISOString()}.`,
    );
    return;
  }
  yield passed("silence", heard);
  const mongo = await tools.database("notification");
  const [latest] = await createAlertStore(mongo).listLatest(rule.workspaceId, [rule.id], [subject]);
  if (latest && (latest.status !== "resolved" || newsSince <= latest.lastAt))
    return yield* followAlert(tools, latest.id);
  if (latest && isCoolingDown(rule, latest, new Date())) {
    const text = `Alert ${latest.id} was resolved at ${latest.resolvedAt?.toISOString()}. Nothing is raised for ${rule.cooldownSeconds} s after it.`;
    yield waits("alert", text);
    return;
  }
  yield await sweepStep(tools, rule, of !== "asset");
}

const silences = { asset: assetSilence, reader: readerSilence, health: readerHealth };

async function assetSilence({ database }: Tools, rule: AlertRule, assetId: string): Promise<Silence> {
  const mongo = await database("notification");
  const { workspaceId } = rule;
  const seen = await lastSightingRecords.store(mongo).get(workspaceId, assetId);
  if (seen === undefined)
    return { step: stopped("sighting", `${assetId} was never seen: only assets that were are watched.`) };
  const asset = (await createAssetStore(mongo).getMany(workspaceId, [assetId])).get(assetId);
  if (asset?.gone) return { step: stopped("asset", `${assetId} is deleted or disposed of.`) };
  if (!isInScope(rule, { assetId, zoneId: seen.zoneId }, asset)) return { step: outOfScope(rule, assetId) };
  return { since: seen.at };
}

async function readerSilence({ database }: Tools, rule: AlertRule, readerId: string): Promise<Silence> {
  const reader = await readerProjection.store(await database("notification")).get(rule.workspaceId, readerId);
  if (reader?.active !== true) return { step: stopped("reader", `${readerId} is not an active reader.`) };
  if (!isWatched(rule, reader)) return { step: outOfScope(rule, `${readerId} (${reader.kind})`) };
  if (reader.lastSeenAt === undefined) return { step: stopped("reader", `${readerId} was never heard.`) };
  return { since: reader.lastSeenAt };
}

async function readerHealth({ database }: Tools, rule: AlertRule, readerId: string): Promise<Silence> {
  const { condition, workspaceId } = rule;
  const reader = await readerProjection.store(await database("notification")).get(workspaceId, readerId);
  if (reader?.active !== true) return { step: stopped("reader", `${readerId} is not an active reader.`) };
  if (!isWatched(rule, reader)) return { step: outOfScope(rule, `${readerId} (${reader.kind})`) };
  const { health } = reader;
  if (health === undefined) return { step: stopped("health", `${readerId} was not judged yet.`) };
  if (!isDegraded(health, condition.type === "reader_degraded" ? condition.reasons : [])) {
    const state = [health.state, ...health.reasons].join(" ");
    return { step: stopped("health", `${readerId} is ${state}. The rule: ${conditionText(condition)}.`) };
  }
  return { since: health.since, newsSince: health.changedAt };
}

const outOfScope = ({ scopeType, scopeId = "" }: AlertRule, subject: string): Step =>
  stopped("scope", `${subject} is not in the scope of the rule: ${scopeType} ${scopeId}.`);

async function sweepStep(
  { tracer, database }: Tools,
  { workspaceId }: AlertRule,
  isReader: boolean,
): Promise<Step> {
  const lags = await Promise.all(
    (isReader ? [topics.reader, topics.readerLiveness] : [topics.sighting]).map(async (topic) => ({
      name: topic.name,
      ...(await tracer.lagOf(topic, "notification")),
    })),
  );
  const late = lags.find(({ lag }) => lag > 0n);
  if (late)
    return waits(
      "sweep",
      `Silence is not judged while the group notification is more than 60 s behind. ${late.lag} events of ${late.name} wait.`,
      "deploy/helm/runbooks/consumer-lag-burn.md",
    );
  if (
    !isReader &&
    (await createFirstReadingStore(await database("notification")).get(workspaceId))?.done !== true
  )
    return waits(
      "sweep",
      "The last sightings of the register are not read yet. They are, while the register is available.",
    );
  return waits(
    "sweep",
    "The next sweep judges it.",
    "Sweeps run every minute in one process of notification with the role worker.",
  );
}
