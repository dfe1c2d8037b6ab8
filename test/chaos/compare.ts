import type { Ledger } from "./ledger.ts";
import type { Stored, TailedSighting } from "./stored.ts";

/** Each entry must be 0, except the first three. */
export type Comparison = {
  acknowledged: number;
  stored: number;
  sightings: number;
  /** Acknowledged reads that are not stored. */
  missing: number;
  /** Reads that are stored more than once. */
  storedTwice: number;
  /** Stored reads that nobody sent. */
  neverSent: number;
  /** Tags that were read, without any sighting. */
  tagsWithoutSighting: number;
  /** Numbers of a subject that two different sightings have. */
  sightingsTwice: number;
  /** Numbers of a subject that no sighting of the topic has. */
  sightingsMissing: number;
  /** Sightings of a tag that contradict the one before: arrived while present, left or moved while absent. */
  contradictions: number;
  /** Assets whose last_seen is not their newest sighting. */
  lastSeenWrong: number;
};

/** The instant of `last_seen` of each asset in the register, in milliseconds. */
export type LastSeen = ReadonlyMap<string, number | undefined>;

/** Compares the ledger with what is stored. A record of the topic may come twice: consumers know it by its id. */
export function compare(
  ledger: Pick<Ledger, "sent" | "acknowledged">,
  stored: Stored,
  lastSeen: LastSeen,
): Comparison {
  const { reads, sequences } = stored;
  const sightings = [...new Map(stored.sightings.map((one) => [one.id, one])).values()];
  const bySubject = Map.groupBy(sightings, ({ subject }) => subject);
  const epcs = new Set(sightings.map(({ message }) => message.sighting.epc));
  const readEpcs = new Set([...ledger.acknowledged].map((key) => key.split(" ")[1] ?? ""));
  return {
    acknowledged: ledger.acknowledged.size,
    stored: reads.size,
    sightings: sightings.length,
    missing: count(ledger.acknowledged, (key) => !reads.has(key)),
    storedTwice: count(reads.values(), (times) => times > 1),
    neverSent: count(reads.keys(), (key) => !ledger.sent.has(key)),
    tagsWithoutSighting: count(readEpcs, (epc) => !epcs.has(epc)),
    sightingsTwice: sum([...bySubject.values()].map((own) => own.length - sequencesOf(own).size)),
    sightingsMissing: sum([...sequences].map(([subject, last]) => gaps(bySubject.get(subject) ?? [], last))),
    contradictions: sum([...bySubject.values()].map(contradictions)),
    lastSeenWrong: count(lastSeen, ([id, at]) => newestOf(bySubject.get(id) ?? []) !== at),
  };
}

/** Whether every count of a fault is 0. */
export function isFaultless({ acknowledged: _, stored: __, sightings: ___, ...faults }: Comparison): boolean {
  return Object.values(faults).every((found) => found === 0);
}

function sequencesOf(sightings: TailedSighting[]): Set<number> {
  return new Set(sightings.map(({ sequence }) => sequence));
}

function gaps(sightings: TailedSighting[], last: number): number {
  const present = sequencesOf(sightings);
  return count(
    Array.from({ length: last }, (_, at) => at + 1),
    (sequence) => !present.has(sequence),
  );
}

/** In the simulation each asset has one tag, so the sightings of a subject are those of a tag. */
function contradictions(sightings: TailedSighting[]): number {
  let present = false;
  return count(
    sightings.toSorted((a, b) => a.sequence - b.sequence),
    ({ message: { arrived, left, moved } }) => {
      const contradicts = arrived !== undefined ? present : (left ?? moved) !== undefined && !present;
      if (arrived !== undefined) present = true;
      if (left !== undefined) present = false;
      return contradicts;
    },
  );
}

/**
 * That a tag left does not make it seen: that sighting has the time of the last read, but a tag that is read all the time is
 * published as seen once a minute only.
 */
function newestOf(sightings: TailedSighting[]): number | undefined {
  const times = sightings
    .filter(({ message }) => message.left === undefined)
    .map(({ message }) => Date.parse(message.sighting.at));
  return times.length === 0 ? undefined : Math.max(...times);
}

function count<T>(items: Iterable<T>, isCounted: (item: T) => boolean): number {
  let counted = 0;
  for (const item of items) if (isCounted(item)) counted += 1;
  return counted;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
