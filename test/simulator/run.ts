import { setTimeout as sleep } from "node:timers/promises";
import type { SimulatedReader } from "./fleet.ts";
import type { Options } from "./options.ts";
import { createRandom, type Random } from "./random.ts";
import type { Read, Sender } from "./send.ts";

/** How often a reader sends the tags that it has read since the last time. */
const TICK_MS = 250;
/** How long a sled is offline before it sends the stored reads. */
const OFFLINE_MS = 5_000;

type Fleet = { readers: SimulatedReader[]; epcs: string[] };

/** Runs all readers until the time is over and `goesOn` is false. Sleds send their stored reads at the end. */
export async function runFleet(
  { readers, epcs }: Fleet,
  options: Options,
  send: Sender,
  goesOn = () => false,
): Promise<void> {
  const until = Date.now() + options.seconds * 1000;
  const perTick = ((options.rate / readers.length) * TICK_MS) / 1000;
  await Promise.all(
    readers.map(async (reader, index) => {
      const random = createRandom(options.seed + index + 1);
      let due = random.next();
      let stored: Read[] = [];
      let offlineUntil = 0;
      while (Date.now() < until || goesOn()) {
        due += perTick;
        const reads = readTags(reader, epcs, Math.floor(due), random);
        due -= reads.length;
        if (reader.profile === "sled" && Date.now() > offlineUntil && random.chance(options.offline / 10)) {
          offlineUntil = Date.now() + OFFLINE_MS;
        }
        if (Date.now() < offlineUntil) stored.push(...reads);
        else {
          await sendAll(send, reader, [...stored, ...reads], options, random);
          stored = [];
        }
        await sleep(TICK_MS);
      }
      await sendAll(send, reader, stored, options, random);
    }),
  );
}

function readTags(reader: SimulatedReader, epcs: string[], count: number, random: Random): Read[] {
  return Array.from({ length: count }, () => ({
    epc: epcs[random.below(epcs.length)] ?? "",
    ts: new Date(Date.now() + reader.skewMs).toISOString(),
    antenna: 1 + random.below(4),
    // An unknown tag whose only read is below -70 dBm is a ghost, without a sighting.
    rssi: -40 - random.below(30),
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
