import type { ReadBuffer } from "../buffer/buffer.ts";
import { LIVE_MS } from "../buffer/live-boundary.ts";
import type { NewRead } from "../buffer/read-rows.ts";
import type { PlatformClock } from "../clock/platform-clock.ts";
import { createReaderClock } from "../clock/reader-clock.ts";
import type { Read, Sink } from "../inputs/input.ts";
import { MAX_COUNT } from "../thinning/thin.ts";
import { createRate } from "./rate.ts";

/** What came from a reader since the start of this process. */
export type ReaderMeter = {
  reads: number;
  perSecond: number;
  /** Reads whose EPC has none of the prefixes. */
  filtered: number;
  /** Reads that the buffer had no room for. The reader was told. */
  turnedAway: number;
  unreadable: number;
  /** The latest reasons, the newest first. */
  unreadableReasons: string[];
  /** How far its clock is ahead (positive) or behind. Then its reads are dated by their receipt. */
  clockOffMs: number;
  /** Milliseconds of the epoch. */
  lastReadAt: number | undefined;
  heardAt: number | undefined;
};

export type ReaderSink = Sink & { meter(): ReaderMeter };

export type ReaderSinkOptions = {
  name: string;
  buffer: Pick<ReadBuffer, "accept">;
  clock: PlatformClock;
  passes: (epc: string) => boolean;
  onHeard(): void;
};

const KEPT_REASONS = 5;
/** The last time of JavaScript. */
const LATEST_MS = 8.64e15;
const EPC = /^(?:[0-9A-F]{4}){1,31}$/;

/** Takes what comes from one reader: checks, filters and dates its reads, and stores them. */
export function createReaderSink({ name, buffer, clock, passes, onHeard }: ReaderSinkOptions): ReaderSink {
  const readerClock = createReaderClock();
  const rate = createRate(clock.monotonic);
  const meter = { reads: 0, filtered: 0, turnedAway: 0, unreadable: 0 };
  let [reasons, lastReadAt, heardAt]: [string[], number | undefined, number | undefined] = [
    [],
    undefined,
    undefined,
  ];

  const heard = (): void => {
    heardAt = clock.now();
    onHeard();
  };
  const unreadable = (reason: string): void => {
    meter.unreadable += 1;
    reasons = [reason, ...reasons].slice(0, KEPT_REASONS);
  };
  const date = (read: Read, received: number, monotonic: number): NewRead => {
    const at = read.at === undefined ? undefined : Math.round(read.at);
    const dating = readerClock.date(at, received);
    const shiftMs = dating === "receipt" ? undefined : dating.shiftMs;
    const isOld = at !== undefined && shiftMs !== undefined && received - at - shiftMs > LIVE_MS;
    const { epc, antenna, rssi, count = 1 } = read;
    return { epc, antenna, rssi, count, at, shiftMs, received, monotonic, live: !isOld };
  };

  return {
    heard,
    unreadable,
    async accept(reads) {
      heard();
      const valid = reads.filter((read) => {
        const problem = problemOf(read);
        if (problem !== undefined) unreadable(problem);
        return problem === undefined;
      });
      const wanted = valid.filter(({ epc }) => passes(epc));
      meter.filtered += valid.length - wanted.length;
      const [received, monotonic] = [Math.round(clock.now()), clock.monotonic()];
      const dated = wanted.map((read) => date(read, received, monotonic));
      try {
        await buffer.accept(name, dated);
      } catch (error) {
        meter.turnedAway += dated.length;
        throw error;
      }
      if (dated.length === 0) return;
      meter.reads += dated.length;
      rate.add(dated.length);
      lastReadAt = received;
    },
    meter: () => ({
      ...meter,
      ...{ perSecond: rate.perSecond(), unreadableReasons: reasons, clockOffMs: readerClock.offMs() },
      ...{ lastReadAt, heardAt },
    }),
  };
}

/** The limits of the platform: one read beyond them would make it refuse the whole batch. */
function problemOf({ epc, at, antenna, rssi, count }: Read): string | undefined {
  if (!EPC.test(epc))
    return `The EPC ${epc.slice(0, 40)} is not 4 to 124 upper-case hex digits in multiples of 4.`;
  if (at !== undefined && !(Math.abs(at) <= LATEST_MS)) return `The time ${at} is none.`;
  if (antenna !== undefined && !isWhole(antenna, 0, 65_535))
    return `The antenna ${antenna} is not 0 to 65535.`;
  if (rssi !== undefined && !(rssi >= -200 && rssi <= 100)) return `The RSSI ${rssi} is not -200 to 100 dBm.`;
  if (count !== undefined && !isWhole(count, 1, MAX_COUNT))
    return `The count ${count} is not 1 to ${MAX_COUNT}.`;
  return undefined;
}

const isWhole = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;
