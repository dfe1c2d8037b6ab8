import type { Context } from "../../context.ts";
import type { AcceptedEvent } from "../../domain/ingest/accepted-event.ts";
import type { Processed } from "../../store/ingest/intake-rates.ts";

export type SlowIntake = {
  /** Counts events that were just processed. */
  note(events: readonly AcceptedEvent[]): void;
  start(): void;
  stop(): void;
};

const REPORT_EVERY_MS = 1_000;

/**
 * Reports how many events of each workspace this worker processes. While some waited for more than `afterMs`, ingest
 * accepts no more of that workspace than is processed. So the backlog of a slow worker has an end.
 */
export function createSlowIntake(
  { stores, logger, now }: Context,
  { afterMs }: { afterMs: number },
): SlowIntake {
  const noted = new Map<string, Processed>();
  let timer: NodeJS.Timeout | undefined;

  function report(): void {
    const processed = [...noted.values()];
    noted.clear();
    // A lost report is not repeated: the next one is a second later, and without Redis no quota is applied.
    stores.intakeRates
      .report(processed)
      .catch((reason: unknown) => logger.debug({ err: reason }, "rate of processing not reported"));
  }

  return {
    note(events) {
      const oldest = now().getTime() - afterMs;
      for (const { workspaceId, receivedAt } of events) {
        const held = noted.get(workspaceId) ?? { workspaceId, events: 0, lagging: false };
        held.events += 1;
        if (receivedAt < oldest) held.lagging = true;
        noted.set(workspaceId, held);
      }
    },
    start() {
      timer = setInterval(report, REPORT_EVERY_MS);
    },
    stop() {
      clearInterval(timer);
    },
  };
}
