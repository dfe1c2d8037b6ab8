export type SharedCallsOptions<T, R> = {
  /** Calls that run at once. */
  count: number;
  /**
   * A call that takes longer than this (ms) continues but is not counted any more: it waits for something, and calls that
   * could proceed must not wait with it.
   */
  holdMs: number;
  /** Whether an item may be part of the same call as those before it. */
  joins(group: readonly T[], next: T): boolean;
  /** Returns a result for each item, in the same order. If it throws, each item fails. */
  call(group: readonly T[]): Promise<readonly R[]>;
};

type Waiting<T, R> = { item: T; resolve(result: R): void; reject(error: unknown): void };

/**
 * Runs at most `count` calls at once, in the order of the requests. Items that wait at the same time share a call, as far as
 * they may.
 */
export function createSharedCalls<T, R>(options: SharedCallsOptions<T, R>) {
  const { count, holdMs, joins } = options;
  let waiting: Waiting<T, R>[] = [];
  let free = count;
  let isScheduled = false;

  /** Later in this turn of the event loop: what a fetch has brought arrives item by item. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      while (free > 0 && waiting.length > 0) void run(nextGroup());
    });
  }

  function nextGroup(): Waiting<T, R>[] {
    const group: Waiting<T, R>[] = [];
    const rest: Waiting<T, R>[] = [];
    for (const one of waiting) {
      const isIn =
        group.length === 0 ||
        joins(
          group.map(({ item }) => item),
          one.item,
        );
      (isIn ? group : rest).push(one);
    }
    waiting = rest;
    return group;
  }

  async function run(group: readonly Waiting<T, R>[]): Promise<void> {
    free -= 1;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      free += 1;
      schedule();
    };
    const timer = setTimeout(release, holdMs);
    try {
      const results = await options.call(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error(`no result for item ${index} of ${group.length}`));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  return (item: T): Promise<R> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
