import type { Context } from "../../context.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import { silenceOf } from "../../domain/alert-rules/condition.ts";
import { isWatched } from "../../domain/alerts/watched-reader.ts";
import type { Reader } from "../../store/projections/readers.ts";
import { raiseSilent } from "./raise-silent.ts";
import { sweepPages } from "./sweep-pages.ts";

/** Judges a rule reader_offline: reads the readers that were not heard for so long. Yields after each page. */
export function sweepReaders(
  context: Context,
  rule: AlertRule,
  signal: AbortSignal,
): AsyncGenerator<void, void> {
  const { stores, now } = context;
  const { workspaceId } = rule;
  const at = now();
  const until = new Date(at.getTime() - (silenceOf(rule.condition) ?? 0));
  return sweepPages(
    (page) => stores.readers.listSilent(workspaceId, { ...page, until }),
    async (readers) => {
      const watched = readers.filter((reader) => isWatched(rule, reader));
      const byId = new Map(watched.map((reader) => [reader.id, reader]));
      const silent = watched.map((reader) => ({
        observation: { ...readerObservation(reader), at, receivedAt: at },
        since: reader.lastSeenAt ?? new Date(0),
      }));
      await raiseSilent(context, rule, silent, (subjects, session) => {
        const held = [...subjects].flatMap((subject) => byId.get(subject) ?? []);
        return stores.readers.hold(workspaceId, held, session);
      });
    },
    signal,
  );
}

/** A reader as the subject of an alert. Its signs of life are in the order of their times. */
export function readerObservation({ id, zoneId, lastSeenAt }: Pick<Reader, "id" | "zoneId" | "lastSeenAt">) {
  return { readerId: id, zoneId, order: { epoch: 0, sequence: lastSeenAt?.getTime() ?? 0 } };
}
