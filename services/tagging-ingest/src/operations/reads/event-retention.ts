import type { Logger } from "@asset-register/runtime";
import type { EventLog } from "../store/event-log.ts";

export type RetainEvents = { start(): void; stop(): Promise<void> };

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Drops the days of events that are older than the retention, looking once an hour. */
export function retainEvents(deps: { eventLog: EventLog; days: number; logger: Logger }): RetainEvents {
  const { eventLog, days, logger } = deps;
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();

  async function drop(): Promise<void> {
    try {
      const dropped = await eventLog.dropBefore(Date.now() - days * DAY_MS);
      if (dropped > 0) logger.info({ days: dropped }, "old days of reader events dropped");
    } catch (error) {
      logger.warn({ err: error }, "old days of reader events not dropped");
    }
  }
  const begin = () => {
    work = work.then(drop);
  };
  return {
    start() {
      begin();
      timer = setInterval(begin, HOUR_MS);
    },
    async stop() {
      clearInterval(timer);
      await work;
    },
  };
}
