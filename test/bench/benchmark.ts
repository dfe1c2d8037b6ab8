import { cpuTime } from "./cpu.ts";

/** One side of a comparison. */
export type Side = {
  /** Prepares the next round. Its time is not measured. */
  prepare?(milliseconds: number): void;
  /** Works for about this long, and returns the number of operations and the exact time. */
  run(milliseconds: number): Promise<{ operations: number; milliseconds: number }>;
  /** The pids of the processes whose CPU time is measured, by display name. */
  processes: () => Record<string, number>;
};

export type Benchmark = {
  name: string;
  /** A description: the operation, its concurrency, and the baseline. */
  work: string;
  /** The target ratio of performance.md, if it has one. */
  goal?: number;
  ours: Side;
  baseline: Side;
};

export type Prepared = { benchmark: Benchmark; stop(): Promise<void> };

/** CPU time in microseconds per operation, by process. */
type Cpu = Record<string, number>;

export type Result = {
  name: string;
  work: string;
  goal?: number;
  /** Medians of the rounds, in operations per second. */
  ours: number;
  baseline: number;
  /** Ours / baseline of the same round. */
  ratio: { min: number; median: number; max: number };
  /** Medians of the rounds. */
  cpu: { ours: Cpu; baseline: Cpu };
};

/** `warmUp` is in milliseconds for each side. Until V8 has compiled its code, a server needs twice the CPU. */
export type Rounds = { rounds: number; milliseconds: number; warmUp: number };

type Measured = { rate: number; cpu: Cpu };

/** Warms both sides up, then runs them in turns, so that a slow period of the machine affects both. */
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
      `${name}: round ${round} of ${rounds}: ${ours.rate.toFixed(0)} against ${baseline.rate.toFixed(0)} per second`,
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

/** One line `name  ours  baseline  ratio (min median max)`, then the CPU time by process. */
export function formatResult({ name, ours, baseline, ratio, goal, cpu }: Result): string {
  const figures = [ratio.min, ratio.median, ratio.max].map((figure) => figure.toFixed(2)).join(" ");
  return [
    `${name}  ${ours.toFixed(0)}/s  ${baseline.toFixed(0)}/s  ratio (${figures})${goal === undefined ? "" : `  goal ${goal}`}`,
    `  CPU us per operation, ours: ${formatCpu(cpu.ours)}`,
    `  CPU us per operation, baseline: ${formatCpu(cpu.baseline)}`,
  ].join("\n");
}

const formatCpu = (cpu: Cpu): string =>
  Object.entries(cpu)
    .map(([name, us]) => `${name} ${us.toFixed(1)}`)
    .join(", ");
