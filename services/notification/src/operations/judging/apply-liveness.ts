import type { Context } from "../../context.ts";
import { silenceOf, silentSubjectOf } from "../../domain/alert-rules/condition.ts";
import { reportOnline } from "../feed/report-readers.ts";
import { readerObservation } from "../sweeps/sweep-readers.ts";
import { applySteps } from "./apply-steps.ts";

/** Keeps when readers were heard, resolves the alerts about their silence, and reports those that are online again. */
export async function applyLiveness(
  context: Context,
  heard: readonly { workspaceId: string; id: string; at: Date }[],
): Promise<void> {
  const { stores, watched, now } = context;
  // First: a sweep that raises an alert at the same moment conflicts with it, or is seen below.
  await stores.readers.heard(heard);
  await reportOnline(context, heard);
  for (const [workspaceId, own] of Map.groupBy(heard, (one) => one.workspaceId)) {
    const { rules } = await watched.of(workspaceId);
    const steps = rules.flatMap((rule) => {
      if (silentSubjectOf(rule.condition) !== "reader") return [];
      const silence = silenceOf(rule.condition) ?? 0;
      return own
        .filter(({ at }) => now().getTime() - at.getTime() < silence)
        .map(({ id, at }) => ({
          rule,
          meaning: "ends" as const,
          sighting: { ...readerObservation({ id, lastSeenAt: at }), at, receivedAt: at },
        }));
    });
    await applySteps(context, workspaceId, steps);
  }
}
