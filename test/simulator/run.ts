import { setTimeout as sleep } from "node:timers/promises";
import type { SimulatedReader } from "./fleet.ts";
import type { Options } from "./options.ts";
import { createRandom, type Random } from "./random.ts";
import type { Read, Sender } from "./send.ts";

/** How often a reader posts what it has read since. */
const TICK_MS = 250;
/** A sled that was out of reach comes back after this long and sends all of it. */
const OFFLINE_MS = 5_000;

type Fleet = { readers: SimulatedReader[]; epcs: string[] };

/** Every reader reads and posts until the time is over; what sleds kept back goes out at the end. */
export async function runFleet({ readers, epcs }: Fleet, options: Options, send: Sender): Promise<void> {
  const until = Date.now() + options.seconds * 1000;
  const perTick = ((options.rate / readers.length) * TICK_MS) / 1000;
  await Promise.all(
    readers.map(async (reader, index) => {
      const random = createRandom(options.seed + index + 1);
      let owed = random.next();
      let kept: Read[] = [];
      let offlineUntil = 0;
      while (Date.now() < until) {
        owed += perTick;
        const reads = readTags(reader, epcs, Math.floor(owed), random);
        owed -= reads.length;
        if (reader.profile === "sled" && Date.now() > offlineUntil && random.chance(options.offline / 10)) {
          offlineUntil = Date.now() + OFFLINE_MS;
        }
        if (Date.now() < offlineUntil) kept.push(...reads);
        else {
          await sendAll(send, reader, [...kept, ...reads], options, random);
          kept = [];
        }
        await sleep(TICK_MS);
      }
      await sendAll(send, reader, kept, options, random);
    }),
  );
}

function readTags(reader: SimulatedReader, epcs: string[], count: number, random: Random): Read[] {
  return Array.from({ length: count }, () => ({
    epc: epcs[random.below(epcs.length)] ?? "",
    ts: new Date(Date.now() + reader.skewMs).toISOString(),
    antenna: 1 + random.below(4),
    rssi: -40 - random.below(40),
  }));
}

async function sendAll(
  send: Sender,
  reader: SimulatedReader,
  reads: Read[],
  options: Options,
  random: Random,
): Promise<void> {
  for (let start = 0; start < reads.length; start += 1000) {
    const chunk = reads.slice(start, start + 1000);
    await send(reader, chunk, random.chance(options.badSignatures));
    if (random.chance(options.duplicates)) await send(reader, chunk, false);
  }
}
