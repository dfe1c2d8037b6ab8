import type { Context } from "../../context.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Drops days of events, and free tags that were not read, older than the retention, once an hour. The database itself
 * removes presences and counts of sightings.
 */
export function createEventRetention(context: Context, { days }: { days: number }) {
  const { logger, now } = context;
  const { eventLog, freeTags } = context.stores;
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();

  async function drop(): Promise<void> {
    try {
      const before = now().getTime() - days * DAY_MS;
      const dropped = await eventLog.dropBefore(before);
      const tags = await freeTags.dropBefore(new Date(before));
      if (dropped + tags > 0) logger.info({ days: dropped, tags }, "old reader events and free tags dropped");
    } catch (error) {
      logger.warn({ err: error }, "old reader events or free tags not dropped; it will be retried");
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
