import type { Context, Stores } from "../../context.ts";

type Parts = Pick<Context, "logger" | "now"> & {
  stores: { eventLog: Pick<Stores["eventLog"], "dropBefore"> };
};

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Drops days of events that are older than the retention, once an hour. */
export function createEventRetention(
  { logger, now, stores: { eventLog } }: Parts,
  { days }: { days: number },
) {
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();

  async function drop(): Promise<void> {
    try {
      const dropped = await eventLog.dropBefore(now().getTime() - days * DAY_MS);
      if (dropped > 0) logger.info({ days: dropped }, "old days of reader events dropped");
    } catch (error) {
      logger.warn({ err: error }, "old days of reader events not dropped");
    }
  }
  const begin = (): void => {
    work = work.then(drop);
  };
  return {
    start(): void {
      begin();
      timer = setInterval(begin, HOUR_MS);
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await work;
    },
  };
}
