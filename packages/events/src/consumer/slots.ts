/**
 * Runs at most `count` calls at once, in the order of the requests. A call that takes longer than `holdMs` continues
 * but is not counted any more: it waits for something, and calls that could proceed must not wait with it.
 */
export function createSlots(count: number, holdMs: number) {
  const waiting: (() => void)[] = [];
  let free = count;

  function release(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let held = true;
    const end = () => {
      if (held) release();
      held = false;
    };
    const timer = setTimeout(end, holdMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      end();
    }
  };
}
