import type { Sweep } from "@asset-register/mongo";
import type { Context } from "./context.ts";
import { judgeWaiting } from "./operations/sweeps/judge-waiting.ts";
import { readLastSightings } from "./operations/sweeps/read-last-sightings.ts";
import { removeOldEntries } from "./operations/sweeps/remove-old-entries.ts";
import { resolveAllOutdated } from "./operations/sweeps/resolve-all-outdated.ts";
import { sendDigests } from "./operations/sweeps/send-digests.ts";
import { sweepPortals } from "./operations/sweeps/sweep-portals.ts";
import { sweepSilence } from "./operations/sweeps/sweep-silence.ts";

const REMOVE_MS = 3_600_000;

/** The work that is repeated in one process of all. */
export function sweepsOf(context: Context, { silenceMs }: { silenceMs: number }): Sweep[] {
  const repeat = (
    sweep: (context: Context, signal: AbortSignal, everyMs: number) => Promise<void>,
    everyMs: number,
  ): Sweep => ({ name: sweep.name, everyMs, run: (signal) => sweep(context, signal, everyMs) });
  return [
    repeat(sweepSilence, silenceMs),
    repeat(sweepPortals, silenceMs),
    repeat(judgeWaiting, 2_000),
    repeat(sendDigests, 5_000),
    repeat(resolveAllOutdated, 5_000),
    repeat(readLastSightings, Math.min(silenceMs, 10_000)),
    repeat(removeOldEntries, REMOVE_MS),
  ];
}
