import type { GroupLag } from "@asset-register/events";
import type { Sweep } from "@asset-register/mongo";
import type { Context } from "./context.ts";
import { judgeReaders } from "./operations/readers/judge-readers.ts";
import { takeBaselines } from "./operations/readers/take-baselines.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The work that is repeated in one process of all. */
export const sweepsOf = (context: Context, lag: Pick<GroupLag, "isBehind">): Sweep[] => [
  { name: "takeBaselines", everyMs: HOUR_MS, run: (signal) => takeBaselines(context, signal) },
  { name: "judgeReaders", everyMs: MINUTE_MS, run: (signal) => judgeReaders(context, lag, signal) },
];
