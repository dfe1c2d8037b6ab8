import { cpuTime } from "./cpu.ts";

/** The number of operations and the exact time. `p50`, `p95` and `p99` in milliseconds, for latencies. */
export type Work = { operations: number; milliseconds: number; p50?: number; p95?: number; p99?: number };

/** One side of a comparison. */
export type Side = {
  /** Prepares the next round. Its time is not measured. */
  prepare?(milliseconds: number): unknown;
  /** Works for about this long. */
  run(milliseconds: number): Promise<Work>;
  /** The pids of the processes whose CPU time is measured, by display name. */
  processes: () => Record<string, number>;
};

/**
 * The compared figure: operations per second, the CPU time of an operation in all processes except the client's, or the
 * 99th percentile of a latency. Only the CPU time is reliable while the machine does other work.
 */
export type Compared = "rate" | "cpu" | "p99";

export type Benchmark = {
  name: string;
  /** Default: rate. Then the goal is the smallest ratio, otherwise the largest one. */
  compared?: Compared;
  /** A description: the operation, its concurrency, and the baseline. */
  work: string;
  /** The target ratio of performance.md, if it has one. */
  goal?: number;
  ours: Side;
  baseline: Side;
};

export type Prepared = { benchmark: Benchmark; stop(): Promise<void> };

/** Figures that have no baseline. `lines` are printed. */
export type Survey = {
  survey(rounds: number, progress: (line: string) => void): Promise<{ lines: string[] }>;
  stop(): Promise<void>;
};

/** CPU time in microseconds per operation, by process. */
type Cpu = Record<string, number>;

export type Result = {
  name: string;
  work: string;
  compared: Compared;
  goal?: number;
  /** Medians of the rounds, in operations per second, microseconds or milliseconds. */
  ours: number;
  baseline: number;
  /** Ours / baseline of the same round. */
  ratio: { min: number; median: number; max: number };
  /** Medians of the rounds, in milliseconds, when it measures them. */
  p50?: { ours: number; baseline: number };
  p95?: { ours: number; baseline: number };
  /** Medians of the rounds. */
  cpu: { ours: Cpu; baseline: Cpu };
};

/** `warmUp` is in milliseconds for each side. Until V8 has compiled its code, a server needs twice the CPU. */
export type Rounds = { rounds: number; milliseconds: number; warmUp: number };

type Measured = Record<Compared, number> & {
  p50?: number | undefined;
  p95?: number | undefined;
  processes: Cpu;
};

const UNITS: Record<Compared, string> = { rate: "/s", cpu: " us", p99: " ms" };

/** Warms both sides up, then runs them in turns, so that a slow period of the machine affects both. */
export async function measure(
  benchmark: Benchmark,
  { rounds, milliseconds, warmUp }: Rounds,
  progress: (line: string) => void,
): Promise<Result> {
  const { name, work, compared = "rate" } = benchmark;
  await once(benchmark.baseline, warmUp);
  await once(benchmark.ours, warmUp);
  const measured: { ours: Measured; baseline: Measured }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const baseline = await once(benchmark.baseline, milliseconds);
    const ours = await once(benchmark.ours, milliseconds);
    measured.push({ ours, baseline });
    const [one, other] = [ours[compared], baseline[compared]].map((figure) => format(compared, figure));
    progress(`${name}: round ${round} of ${rounds}: ${one} against ${other}`);
  }
  const ratios = measured.map(({ ours, baseline }) => ours[compared] / baseline[compared]);
  const quantile = (name: "p50" | "p95") =>
    measured[0]?.ours[name] === undefined
      ? {}
      : { [name]: { ours: medianOf("ours", name), baseline: medianOf("baseline", name) } };
  const medianOf = (side: "ours" | "baseline", name: "p50" | "p95") =>
    median(measured.map((round) => round[side][name] ?? 0));
  return {
    name,
    work,
    compared,
    ...(benchmark.goal !== undefined && { goal: benchmark.goal }),
    ours: median(measured.map(({ ours }) => ours[compared])),
    baseline: median(measured.map(({ baseline }) => baseline[compared])),
    ratio: { min: Math.min(...ratios), median: median(ratios), max: Math.max(...ratios) },
    ...quantile("p50"),
    ...quantile("p95"),
    cpu: {
      ours: medians(measured.map(({ ours }) => ours.processes)),
      baseline: medians(measured.map(({ baseline }) => baseline.processes)),
    },
  };
}

async function once({ prepare, run, processes }: Side, milliseconds: number): Promise<Measured> {
  await prepare?.(milliseconds);
  const pids = Object.entries(processes());
  const before = pids.map(([, pid]) => cpuTime(pid));
  const { operations, milliseconds: taken, p50, p95, p99 = 0 } = await run(milliseconds);
  const used: Cpu = {};
  for (const [index, [name, pid]] of pids.entries()) {
    const [from, to] = [before[index], cpuTime(pid)];
    if (from !== undefined && to !== undefined) used[name] = (to - from) / operations;
  }
  const { client: _, ...servers } = used;
  const cpu = Object.values(servers).reduce((sum, us) => sum + us, 0);
  return { rate: (operations / taken) * 1000, cpu, p50, p95, p99, processes: used };
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
export function formatResult({ name, compared, ours, baseline, ratio, goal, cpu, p50, p95 }: Result): string {
  const figures = [ratio.min, ratio.median, ratio.max].map((figure) => figure.toFixed(2)).join(" ");
  const aim = goal === undefined ? "" : `  goal ${compared === "rate" ? ">=" : "<="} ${goal}`;
  return [
    `${name}  ${format(compared, ours)}  ${format(compared, baseline)}  ratio (${figures})${aim}`,
    ...(p50 === undefined
      ? []
      : [`  median of the latency, ours: ${p50.ours} ms, baseline: ${p50.baseline} ms`]),
    ...(p95 === undefined
      ? []
      : [`  its 95th percentile, ours: ${p95.ours} ms, baseline: ${p95.baseline} ms`]),
    `  CPU us per operation, ours: ${formatCpu(cpu.ours)}`,
    `  CPU us per operation, baseline: ${formatCpu(cpu.baseline)}`,
  ].join("\n");
}

const format = (compared: Compared, figure: number): string =>
  `${figure.toFixed(compared === "cpu" ? 1 : 0)}${UNITS[compared]}`;

const formatCpu = (cpu: Cpu): string =>
  Object.entries(cpu)
    .map(([name, us]) => `${name} ${us.toFixed(1)}`)
    .join(", ");
