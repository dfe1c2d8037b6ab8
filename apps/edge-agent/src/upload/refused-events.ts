import type { PendingBatch } from "../buffer/batch-rows.ts";
import type { RefusedEvent } from "../buffer/refused-rows.ts";
import type { Outcome } from "./outcome.ts";

/** The events of a batch that the platform refused: some of them, or all with the code of the batch. */
export function refusedEvents(
  batch: PendingBatch,
  outcome: Extract<Outcome, { kind: "taken" | "refused" }>,
  at: number,
): RefusedEvent[] {
  if (outcome.kind === "taken" && outcome.refused.length === 0) return [];
  const { events }: { events: unknown[] } = JSON.parse(new TextDecoder().decode(batch.body));
  const refused =
    outcome.kind === "taken" ? outcome.refused : events.map((_, index) => ({ index, code: outcome.code }));
  return refused.map(({ index, code }) => ({
    ...{ reader: batch.reader, at, code },
    event: JSON.stringify(events[index]),
  }));
}
