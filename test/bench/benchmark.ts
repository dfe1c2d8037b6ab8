/** One side of a comparison: does its work for about so long and tells how much it did. */
export type Side = (milliseconds: number) => Promise<{ operations: number; milliseconds: number }>;

export type Benchmark = {
  name: string;
  /** What is done, how many at once, and what counts as one operation. */
  work: string;
  /** The ratio of performance.md. */
  goal: number;
  ours: Side;
  baseline: Side;
};

export type Result = {
  name: string;
  work: string;
  goal: number;
  /** Medians, operations a second. */
  ours: number;
  baseline: number;
  /** Of the rounds: ours / baseline of the same round. */
  ratio: { min: number; median: number; max: number };
};

const WARM_UP_MS = 3_000;
const ROUND_MS = 4_000;
const ROUNDS = 5;

/** Warms both sides up, then lets them take turns, so that a slow minute of the machine hits both. */
export async function measure(benchmark: Benchmark, progress: (line: string) => void): Promise<Result> {
  const { name, work, goal } = benchmark;
  await benchmark.baseline(WARM_UP_MS);
  await benchmark.ours(WARM_UP_MS);
  const rounds: { ours: number; baseline: number }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const baseline = await rate(benchmark.baseline);
    const ours = await rate(benchmark.ours);
    rounds.push({ ours, baseline });
    progress(
      `${name}: round ${round} of ${ROUNDS}: ${ours.toFixed(0)} against ${baseline.toFixed(0)} a second`,
    );
  }
  const ratios = rounds.map(({ ours, baseline }) => ours / baseline).sort((a, b) => a - b);
  return {
    name,
    work,
    goal,
    ours: median(rounds.map(({ ours }) => ours)),
    baseline: median(rounds.map(({ baseline }) => baseline)),
    ratio: { min: ratios[0] ?? 0, median: median(ratios), max: ratios.at(-1) ?? 0 },
  };
}

async function rate(side: Side): Promise<number> {
  const { operations, milliseconds } = await side(ROUND_MS);
  return (operations / milliseconds) * 1000;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** `name  ours  baseline  ratio (min median max)`. */
export function formatResult({ name, ours, baseline, ratio, goal }: Result): string {
  const figures = [ratio.min, ratio.median, ratio.max].map((figure) => figure.toFixed(2)).join(" ");
  return `${name}  ${ours.toFixed(0)}/s  ${baseline.toFixed(0)}/s  ratio (${figures})  goal ${goal}`;
}
