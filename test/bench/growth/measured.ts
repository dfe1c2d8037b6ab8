import type { PerUnit } from "./arithmetic.ts";
import type { Kept } from "./kept.ts";

/** A collection (`register.assets`) or topic (`topic asset.v1`), with what one of each unit adds to it. */
export type MeasuredPart = PerUnit & { name: string; kept?: Kept };

/** A run of the script. `measured.json` has the last one, from which the tables are made. */
export type MeasuredGrowth = {
  date: string;
  /** Number of processes that wanted a core, of which there were two. */
  load: number;
  assets: number;
  reads: number;
  userDays: number;
  parts: MeasuredPart[];
  /** Microseconds of CPU of a read from the signed batch to its last effect, by process. */
  cpuUsOfARead: Record<string, number>;
};
