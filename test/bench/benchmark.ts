import { cpuTime } from "./cpu.ts";

/** One side of a comparison. */
export type Side = {
  /** Makes ready what the next round needs, outside its time. */
  prepare?(milliseconds: number): void;
  /** Does its work for about so long and tells how much it did. */
  run(milliseconds: number): Promise<{ operations: number; milliseconds: number }>;
  /** Whose CPU time is told, by what each is called. */
  processes: () => Record<string, number>;
};

export type Benchmark = {
  name: string;
  /** What is done, how many at once, and what counts as one operation. */
  work: string;
  /** The ratio of performance.md, where it names one. */
  goal?: number;
  ours: Side;
  baseline: Side;
};

export type Prepared = { benchmark: Benchmark; stop(): Promise<void> };

/** Microseconds of CPU an operation, by process. */
type Cpu = Record<string, number>;

export type Result = {
  name: string;
  work: string;
  goal?: number;
  /** Medians, operations a second. */
  ours: number;
  baseline: number;
  /** Of the rounds: ours / baseline of the same round. */
  ratio: { min: number; median: number; max: number };
  /** Medians. */
  cpu: { ours: Cpu; baseline: Cpu };
};

/** `warmUp` is of each side: until the compiler is done with what it runs, a server needs twice the CPU. */
export type Rounds = { rounds: number; milliseconds: number; warmUp: number };

type Measured = { rate: number; cpu: Cpu };

/** Warms both sides up, then lets them take turns, so that a slow minute of the machine hits both. */
export async function measure(
  benchmark: Benchmark,
  { rounds, milliseconds, warmUp }: Rounds,
  progress: (line: string) => void,
): Promise<Result> {
  const { name, work } = benchmark;
  await once(benchmark.baseline, warmUp);
  await once(benchmark.ours, warmUp);
  const measured: { ours: Measured; baseline: Measured }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const baseline = await once(benchmark.baseline, milliseconds);
    const ours = await once(benchmark.ours, milliseconds);
    measured.push({ ours, baseline });
    progress(
      `${name}: round ${round} of ${rounds}: ${ours.rate.toFixed(0)} against ${baseline.rate.toFixed(0)} a second`,
    );
  }
  const ratios = measured.map(({ ours, baseline }) => ours.rate / baseline.rate);
  return {
    name,
    work,
    ...(benchmark.goal !== undefined && { goal: benchmark.goal }),
    ours: median(measured.map(({ ours }) => ours.rate)),
    baseline: median(measured.map(({ baseline }) => baseline.rate)),
    ratio: { min: Math.min(...ratios), median: median(ratios), max: Math.max(...ratios) },
    cpu: {
      ours: medians(measured.map(({ ours }) => ours.cpu)),
      baseline: medians(measured.map(({ baseline }) => baseline.cpu)),
    },
  };
}

async function once({ prepare, run, processes }: Side, milliseconds: number): Promise<Measured> {
  prepare?.(milliseconds);
  const pids = Object.entries(processes());
  const before = pids.map(([, pid]) => cpuTime(pid));
  const { operations, milliseconds: taken } = await run(milliseconds);
  const cpu: Cpu = {};
  for (const [index, [name, pid]] of pids.entries()) {
    const [from, to] = [before[index], cpuTime(pid)];
    if (from !== undefined && to !== undefined) cpu[name] = (to - from) / operations;
  }
  return { rate: (operations / taken) * 1000, cpu };
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function medians(all: Cpu[]): Cpu {
  const names = Object.keys(all[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(all.map((cpu) => cpu[name] ?? 0))]));
}

/** `name  ours  baseline  ratio (min median max)`, and below it where the CPU time went. */
export function formatResult({ name, ours, baseline, ratio, goal, cpu }: Result): string {
  const figures = [ratio.min, ratio.median, ratio.max].map((figure) => figure.toFixed(2)).join(" ");
  return [
    `${name}  ${ours.toFixed(0)}/s  ${baseline.toFixed(0)}/s  ratio (${figures})${goal === undefined ? "" : `  goal ${goal}`}`,
    `  CPU us an operation, ours: ${formatCpu(cpu.ours)}`,
    `  CPU us an operation, baseline: ${formatCpu(cpu.baseline)}`,
  ].join("\n");
}

const formatCpu = (cpu: Cpu): string =>
  Object.entries(cpu)
    .map(([name, us]) => `${name} ${us.toFixed(1)}`)
    .join(", ");
