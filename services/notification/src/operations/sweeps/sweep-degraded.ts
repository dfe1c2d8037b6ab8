import type { Context } from "../../context.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import { silenceOf } from "../../domain/alert-rules/condition.ts";
import { isWatched } from "../../domain/alerts/watched-reader.ts";
import type { Reader } from "../../store/projections/readers.ts";
import { raiseSilent } from "./raise-silent.ts";
import { sweepPages } from "./sweep-pages.ts";

/** Judges a rule reader_degraded: reads the readers that are degraded for so long. Yields after each page. */
export function sweepDegraded(
  context: Context,
  rule: AlertRule,
  signal: AbortSignal,
): AsyncGenerator<void, void> {
  const { stores, now } = context;
  const { workspaceId, condition } = rule;
  const at = now();
  const until = new Date(at.getTime() - (silenceOf(condition) ?? 0));
  const reasons = (condition.type === "reader_degraded" && condition.reasons) || [];
  return sweepPages(
    (page) => stores.readers.listDegraded(workspaceId, { ...page, until, reasons }),
    async (readers) => {
      const watched = readers.filter((reader) => isWatched(rule, reader));
      const byId = new Map(watched.map((reader) => [reader.id, reader]));
      const degraded = watched.map((reader) => ({
        observation: { ...healthObservation(reader), at, receivedAt: at },
        // With other reasons it is news again.
        since: reader.health?.changedAt ?? until,
      }));
      await raiseSilent(context, rule, degraded, (subjects, session) => {
        const held = [...subjects].flatMap((subject) => byId.get(subject) ?? []);
        return stores.readers.holdHealth(workspaceId, held, session);
      });
    },
    signal,
  );
}

/** A reader as the subject of an alert. Its health is in the order of its liveness. */
export function healthObservation({
  id,
  zoneId,
  healthSequence = 0,
}: Pick<Reader, "id" | "zoneId" | "healthSequence">) {
  return { readerId: id, zoneId, order: { epoch: 0, sequence: healthSequence } };
}
