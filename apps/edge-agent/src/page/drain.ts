/** Says when the backlog ends, from how the number of rows has changed. */
export type Drain = {
  sample(rows: number): void;
  /** Milliseconds from now; undefined while reads arrive as fast as they leave, or nothing is known yet. */
  endsInMs(): number | undefined;
};

const WINDOW_MS = 120_000;
const LEAST_MS = 5_000;

export function createDrain(monotonic: () => number): Drain {
  let samples: { at: number; rows: number }[] = [];
  return {
    sample(rows) {
      const at = monotonic();
      samples = [...samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, rows }];
    },
    endsInMs() {
      const [first, last] = [samples[0], samples.at(-1)];
      if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return undefined;
      const perMs = (first.rows - last.rows) / (last.at - first.at);
      return perMs > 0 ? last.rows / perMs : undefined;
    },
  };
}
