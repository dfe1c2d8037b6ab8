/** Disk that is used, of rows and their indexes or of records of a topic. */
export type Size = { rows: number; bytes: number };

/** The sizes of everything at a moment, by name. */
export type Sizes = ReadonlyMap<string, Size>;

/** What one of each adds. A first read makes rows of its tag, which later reads rewrite: they belong to the asset. */
export type PerUnit = { asset: Size; read: Size; userDay: Size };

export type Load = { assets: number; readsADay: number; userDays: number };

const NOTHING: Size = { rows: 0, bytes: 0 };

/** The growth between two moments, for each of `units`. What has become smaller has not grown. */
export function growthOf(name: string, before: Sizes, after: Sizes, units: number): Size {
  const [from, to] = [before.get(name) ?? NOTHING, after.get(name) ?? NOTHING];
  const grown = (field: keyof Size) => Math.max(0, to[field] - from[field]) / units;
  return { rows: grown("rows"), bytes: grown("bytes") };
}

/** The surplus of the first reads of an asset over as many later ones. */
export function surplusOf(first: Size, later: Size, reads: number): Size {
  const over = (field: keyof Size) => Math.max(0, first[field] - later[field] * reads);
  return { rows: over("rows"), bytes: over("bytes") };
}

/** How many of each unit a run had. */
export type Counts = { assets: number; reads: number; userDays: number };

/**
 * The bytes of the rows that a unit adds, at the mean size of all rows that a run has added. A row that is written again
 * makes a file larger for some time, but it adds nothing.
 */
export function withoutRewrites({ asset, read, userDay }: PerUnit, counts: Counts): PerUnit {
  const { assets, reads, userDays } = counts;
  const all = (field: keyof Size) => asset[field] * assets + read[field] * reads + userDay[field] * userDays;
  const bytesOfARow = all("rows") > 0 ? all("bytes") / all("rows") : 0;
  const of = ({ rows }: Size): Size => ({ rows, bytes: rows * bytesOfARow });
  return { asset: of(asset), read: of(read), userDay: of(userDay) };
}

export const sum = (one: Size, other: Size): Size => ({
  rows: one.rows + other.rows,
  bytes: one.bytes + other.bytes,
});

/**
 * The bytes after some days. What an asset adds stays, since assets do. The rest is removed after `keptDays`, if that is
 * known.
 */
export function bytesAfter(
  { asset, read, userDay }: PerUnit,
  { assets, readsADay, userDays }: Load,
  days: number,
  keptDays = Number.POSITIVE_INFINITY,
): number {
  const counted = Math.min(days, keptDays);
  return asset.bytes * assets + (read.bytes * readsADay + userDay.bytes * userDays) * counted;
}

/** Processes of a size that use a share of their cores at a rate, at least `least` of them. */
export function replicasFor(
  rate: number,
  { cpuUs, cores, busy, least }: { cpuUs: number; cores: number; busy: number; least: number },
): number {
  return Math.max(least, Math.ceil((rate * cpuUs) / 1e6 / cores / busy));
}

/**
 * Partitions of a topic: one consumer a partition, each with one core. Their number can never change, so it is for
 * `reserve` times the rate, and one of the usual numbers that many replicas divide.
 */
export function partitionsFor(rate: number, { cpuUs, reserve }: { cpuUs: number; reserve: number }): number {
  const needed = Math.ceil((rate * reserve * cpuUs) / 1e6);
  return [12, 24, 48, 96, 192, 384].find((count) => count >= needed) ?? needed;
}
