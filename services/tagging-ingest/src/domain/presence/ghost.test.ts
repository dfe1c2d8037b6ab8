import fc from "fast-check";
import { expect, it } from "vitest";
import { read, start, windowMs } from "../../../test/readings.ts";
import type { Reading } from "../ingest/reading.ts";
import { advance } from "./advance.ts";
import { depart } from "./depart.ts";
import { listingOf } from "./listing.ts";
import { type Presence, unseen } from "./presence.ts";

const ghostBelowDbm = -70;
const faint = (zone: string, seconds: number) => read(zone, seconds, { rssi: -70.5 });

/** Of an unknown tag. */
function run(arrivals: Reading[], before: Presence = unseen(), limit: number | undefined = ghostBelowDbm) {
  const horizon = Math.max(...arrivals.map(({ receivedAt }) => receivedAt)) + windowMs;
  return advance(before, { arrivals, horizon, windowMs, assetId: undefined, ghostBelowDbm: limit });
}
const ghosts = ({ outcomes }: ReturnType<typeof run>) => outcomes.map(({ ghost = false }) => ghost);

it("a tag whose reads are in one second and all below the limit is a ghost: it is nowhere listed", () => {
  const result = run([faint("A", 0), faint("B", 0.5), faint("A", 0.999)]);
  expect(ghosts(result)).toEqual([true, true, true]);
  expect(result.presence.place?.zoneId).toBe("A");
  expect(listingOf(result.presence)).toBeUndefined();
});

it("a second read makes it an unknown tag, in the same place and minute too, and listed since its first read", () => {
  const { presence } = run([faint("A", 0)]);
  const second = run([faint("A", 1)], presence);
  expect(second.outcomes).toMatchObject([{ change: "seen", zoneId: "A" }]);
  expect(ghosts(second)).toEqual([false]);
  expect(listingOf(second.presence)).toMatchObject({ zoneId: "A", since: start });
  expect(run([faint("A", 2)], second.presence).outcomes).toEqual([]);
});

it("a second read makes it an unknown tag a month after it has left too", () => {
  const { presence } = run([faint("A", 0)]);
  const gone = depart(presence, { horizon: start + 30_000 });
  const back = run([faint("A", 30 * 86_400)], gone.presence);
  expect(back.outcomes).toMatchObject([{ change: "arrived" }]);
  expect(ghosts(back)).toEqual([false]);
});

it("a read with a stronger signal, without one, or of a known tag makes no ghost", () => {
  expect(ghosts(run([read("A", 0, { rssi: -70 })]))).toEqual([false]);
  expect(ghosts(run([read("A", 0)]))).toEqual([false]);
  expect(ghosts(run([faint("A", 0), read("A", 0.5)]))).toEqual([true, false]);
  const known = advance(unseen(), {
    ...{ arrivals: [faint("A", 0)], horizon: start + windowMs, windowMs, assetId: "ast_1" },
  });
  expect(ghosts(known)).toEqual([false]);
});

it("a faint read out of an offline buffer is a ghost too", () => {
  const buffered = read("A", 0, { rssi: -80, receivedAt: start + 3_600_000 });
  expect(ghosts(run([buffered]))).toEqual([true]);
});

it("what is not a ghost is never one again, and reads of two seconds are never all of ghosts", () => {
  const signal = fc.option(fc.constantFrom(-90, -70, -40), { nil: undefined });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20_000), signal), { minLength: 1, maxLength: 20 }), (all) => {
      const sorted = all.toSorted(([one], [other]) => one - other);
      let presence = unseen();
      const seen: boolean[] = [];
      for (const [ms, rssi] of sorted) {
        const result = run([read("A", ms / 1000, { rssi })], presence);
        presence = result.presence;
        seen.push(presence.ghostSecond !== undefined);
      }
      const first = seen.indexOf(false);
      expect(first < 0 || !seen.slice(first).includes(true)).toBe(true);
      const seconds = new Set(sorted.map(([ms]) => Math.floor(ms / 1000)));
      const allFaint = sorted.every(([, rssi]) => rssi !== undefined && rssi < ghostBelowDbm);
      expect(seen.at(-1)).toBe(seconds.size === 1 && allFaint);
    }),
  );
});
