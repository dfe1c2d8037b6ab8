import type { Context } from "../../context.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Drops days of events and sightings, and free tags that were not read, older than the retention, and the minutes of
 * readers that are older than two days, once an hour. The database itself removes presences, counts of sightings and
 * hours of readers.
 */
export function createEventRetention(context: Context, { days }: { days: number }) {
  const { logger, now } = context;
  const { eventLog, freeTags, readerHours, sightings } = context.stores;
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();

  async function drop(): Promise<void> {
    try {
      const before = now().getTime() - days * DAY_MS;
      const dropped = (await eventLog.dropBefore(before)) + (await sightings.dropBefore(before));
      const tags = await freeTags.dropBefore(new Date(before));
      const hours = await readerHours.dropMinutes(now());
      const all = { days: dropped, tags, hours };
      if (dropped + tags + hours > 0)
        logger.info(all, "old days of events and sightings, free tags and minutes dropped");
    } catch (error) {
      logger.warn({ err: error }, "old days, free tags or minutes not dropped; it will be retried");
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
