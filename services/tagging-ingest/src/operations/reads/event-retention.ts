import type { Context } from "../../context.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** With an archive, days are dropped when they are moved to files. */
type Retention = { days: number; isArchived: boolean };

/**
 * Drops days of events and sightings, and free tags that were not read, older than the retention, and the minutes of
 * readers that are older than two days, once an hour. The database itself removes presences, counts of sightings and
 * hours of readers.
 */
export function createEventRetention(context: Context, { days, isArchived }: Retention) {
  const { logger, now } = context;
  const { eventLog, freeTags, readerHours, sightings } = context.stores;
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();

  const dropDays = async (before: number): Promise<number> =>
    (await eventLog.dropBefore(before, now())) + (await sightings.dropBefore(before, now()));

  async function drop(): Promise<void> {
    try {
      const before = now().getTime() - days * DAY_MS;
      const dropped = isArchived ? 0 : await dropDays(before);
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
