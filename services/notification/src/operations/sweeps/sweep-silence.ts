import { topics } from "@asset-register/proto/topics";
import type { Context } from "../../context.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import { silentSubjectOf } from "../../domain/alert-rules/condition.ts";
import { sweepAssets } from "./sweep-assets.ts";
import { sweepDegraded } from "./sweep-degraded.ts";
import { sweepReaders } from "./sweep-readers.ts";
import { takeTurns } from "./take-turns.ts";

/** Behind by more than this, our own delay would look like silence. */
export const BEHIND_MS = 60_000;

/** Judges the rules of all workspaces that fire when nothing is read or heard, or a reader is not well. */
export async function sweepSilence(
  context: Context,
  signal: AbortSignal,
  everyMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { stores, watched, lag, logger } = context;
  let [sightingsLate, readersLate] = [false, false];

  async function list(): Promise<string[]> {
    const workspaces = await stores.ruleSweeps.listWorkspaces();
    if (workspaces.length === 0) return [];
    sightingsLate = await lag.isBehind([topics.sighting], BEHIND_MS);
    readersLate = await lag.isBehind([topics.reader, topics.readerLiveness], BEHIND_MS);
    return workspaces;
  }

  async function* begin(workspaceId: string): AsyncGenerator<void, void> {
    const { rules } = await watched.of(workspaceId);
    const isRead = (await stores.firstReadings.get(workspaceId))?.done === true;
    for (const rule of rules) {
      const sweep = sweepOf(rule, { assets: !sightingsLate && isRead, readers: !readersLate });
      if (sweep === undefined) continue;
      try {
        yield* sweep(context, rule, signal);
        yield;
      } catch (error) {
        logger.warn(
          { err: error, workspaceId, rule: rule.id },
          "a rule was not swept; the next sweep retries",
        );
      }
    }
  }

  await takeTurns({
    ...{ list, begin, everyMs, signal },
    onError: (error, workspaceId) =>
      logger.warn({ err: error, workspaceId }, "silence was not judged; the next sweep retries"),
  });
}

function sweepOf({ condition }: AlertRule, current: { assets: boolean; readers: boolean }) {
  const subject = silentSubjectOf(condition);
  if (subject === "asset" && current.assets) return sweepAssets;
  if (subject === "reader" && current.readers) return sweepReaders;
  if (subject === "health" && current.readers) return sweepDegraded;
  return undefined;
}
