import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "@asset-register/local";
import { type Quantity, readUsage, type Usage } from "./usage.ts";

/** An amount at the start, middle and end of a soak. */
export type Growth = {
  what: string;
  quantity: Quantity;
  start: number;
  middle: number;
  end: number;
};

/** After the first half, everything is warm. From then on, what a steady load explains does not grow by more than this. */
const SLACK: Record<Exclude<Quantity, "rows">, number> = {
  "memory MiB": 40,
  handles: 20,
  connections: 20,
  "lag s": 20,
};
const SLACK_SHARE = 0.15;
/** Rows come with the load: in the second half as many as in the first one, within this. */
const ROWS_SHARE = 1.5;
const ROWS_SLACK = 200;
/** Collections whose rows come faster than the load, and why. */
const FASTER: Readonly<Record<string, string>> = {
  "rows asset_register_finance.run_skips": "a row for each run and asset that the run leaves out",
};

/** Whether an amount grows more in the second half than a steady load explains. */
export function isUnexplained({ what, quantity, start, middle, end }: Growth): boolean {
  const [first, second] = [middle - start, end - middle];
  if (what in FASTER) return false;
  if (quantity === "rows") return second > Math.max(0, first) * ROWS_SHARE + ROWS_SLACK;
  return second > Math.max(SLACK[quantity], middle * SLACK_SHARE);
}

/** Waits under the load, and returns what each part of the cluster used at its start, middle and end. */
export async function soak(
  cluster: Cluster,
  ms: number,
  progress: (line: string) => void,
): Promise<Growth[]> {
  const moments: Usage[] = [await readUsage(cluster)];
  for (const half of ["first", "second"]) {
    progress(`The ${half} half of the soak: ${Math.round(ms / 120_000)} min`);
    await sleep(ms / 2);
    moments.push(await readUsage(cluster));
  }
  const [start, middle, last] = moments;
  return [...(last ?? new Map())].map(([what, { quantity, amount }]) => ({
    ...{ what, quantity },
    // A collection that did not exist yet had no rows.
    start: start?.get(what)?.amount ?? 0,
    middle: middle?.get(what)?.amount ?? 0,
    end: amount,
  }));
}
