import { choosePage } from "../src/domain/reconcile/choose-page.ts";
import type { AssetFact, MovementFact, ScanFact } from "../src/domain/reconcile/facts.ts";
import { addTallies, emptyTally, type Tally } from "../src/domain/reconcile/figures.ts";
import { assetSubject } from "../src/domain/reconcile/finding.ts";
import { judgeAssetPage, judgeCodePage } from "../src/domain/reconcile/judge-page.ts";
import type { PreviousRow, RowChange } from "../src/domain/reconcile/merge-findings.ts";
import { scanTime } from "../src/domain/scan.ts";
import type { World, WorldAsset } from "./plain-model.ts";

/** A row, how often it was opened, and the scan that decided it. */
export type MemoryRow = PreviousRow & { rev: number; lastScannedAt?: Date | undefined };

/** Movements that the session's own confirmations have made, by asset. */
export type Confirmed = ReadonlyMap<string, readonly MovementFact[]>;

/** A whole reconcile of a world, in pages as the service makes them, with rows in memory. Only tests use it. */
export function reconcileInMemory(
  world: World,
  before: readonly MemoryRow[],
  { pageSize = 1_000, confirmed = new Map() as Confirmed } = {},
): { rows: MemoryRow[]; tally: Tally; changes: RowChange<MemoryRow>[] } {
  const scans = world.scans.map(toScan);
  const assets = world.assets.map((asset) => toAsset(asset, confirmed.get(asset.id) ?? []));
  const expected = world.expected
    .map(({ asset, place }) => ({ assetId: asset, locationId: place }))
    .sort((a, b) => (a.assetId < b.assetId ? -1 : 1));
  const keys = [...new Set(scans.map(({ key }) => key))].sort();
  const tagOf = (key: string) => world.tags.find(({ code }) => code === canonicalOf(key));
  const bound = keys
    .flatMap((key) => ({ key, assetId: tagOf(key)?.on ?? [] }))
    .flatMap(({ key, assetId }) => (typeof assetId === "string" ? { key, assetId } : []))
    .sort((a, b) => (a.assetId < b.assetId ? -1 : 1))
    .map((code) => ({
      ...{ ...code, canonical: canonicalOf(code.key) },
      scans: scans.filter(({ key }) => key === code.key).length,
    }));

  const unbound = new Map(keys.filter((key) => !tagOf(key)?.on).map((key) => [key, tagOf(key)?.was]));
  const changes: RowChange<MemoryRow>[] = [];
  let tally = emptyTally;
  let after = "";
  for (let limit = pageSize; ; ) {
    const ahead = expected.filter(({ assetId }) => assetId > after);
    const codes = bound.filter(({ assetId }) => assetId > after);
    const page = choosePage(
      {
        expectedIds: ahead.slice(0, limit).map(({ assetId }) => assetId),
        moreExpected: ahead.length > limit,
        codes: codes.slice(0, limit),
        moreCodes: codes.length > limit,
      },
      { assets: limit, scans: limit },
    );
    if (page.assetIds.length === 0 && !page.last) {
      limit *= 2;
      continue;
    }
    const ids = new Set(page.assetIds);
    const upTo = page.last ? "\uffff" : (page.assetIds.at(-1) ?? "");
    const result = judgeAssetPage({
      assetIds: page.assetIds,
      expected: ahead.filter(({ assetId }) => ids.has(assetId)),
      codes: codes.filter(({ assetId }) => ids.has(assetId)),
      scans,
      assets: assets.filter(({ assetId }) => ids.has(assetId)),
      rows: before.filter(
        ({ subject }) => isAsset(subject) && subject > assetSubject(after) && subject <= assetSubject(upTo),
      ),
      until: new Date(world.now),
    });
    changes.push(...result.changes);
    tally = addTallies(tally, result.tally);
    for (const key of result.unboundKeys) unbound.set(key, tagOf(key)?.on);
    if (page.last) break;
    after = page.assetIds.at(-1) ?? after;
    limit = pageSize;
  }
  const codes = [...unbound].sort().map(([key, assetId]) => {
    const asset = world.assets.find(({ id }) => id === assetId);
    const deleted = asset?.state === "deleted";
    const gone =
      asset && (deleted || asset.state === "disposed") ? { assetId: asset.id, deleted } : undefined;
    return { key, canonical: canonicalOf(key), gone };
  });
  changes.push(
    ...judgeCodePage(
      codes,
      scans,
      before.filter(({ subject }) => !isAsset(subject)),
    ).changes,
  );
  return {
    rows: changes
      .flatMap(toRow)
      .concat(
        before.filter(
          ({ obsolete, subject }) => obsolete && !changes.some((change) => subjectOf(change) === subject),
        ),
      ),
    tally,
    changes,
  };
}

const isAsset = (subject: string) => subject.startsWith("asset:");

const subjectOf = (change: RowChange<MemoryRow>) =>
  "judged" in change ? change.judged.finding.subject : change.row.subject;

function toRow(change: RowChange<MemoryRow>): MemoryRow[] {
  switch (change.action) {
    case "insert":
      return [
        { ...change.judged.finding, ...seenAt(change), status: change.status, obsolete: false, rev: 1 },
      ];
    case "keep":
      return [{ ...change.row, ...seenAt(change) }];
    case "reopen":
      return [
        {
          ...change.judged.finding,
          ...seenAt(change),
          status: change.status,
          obsolete: false,
          rev: change.row.rev + 1,
        },
      ];
    case "make_obsolete":
      return [{ ...change.row, obsolete: true, rev: change.row.rev + 1 }];
    case "remove":
      return [];
  }
}

const seenAt = ({ judged }: Extract<RowChange<MemoryRow>, { judged: unknown }>) => ({
  lastScannedAt: judged.seen?.lastScannedAt,
});

function toScan({ id, code, place, at, received }: World["scans"][number]): ScanFact {
  const [scannedAt, receivedAt] = [new Date(at), new Date(received)];
  const base = { id, key: code, locationId: place, deviceId: "sled" };
  return { ...base, at: scanTime({ scannedAt, receivedAt }), receivedAt };
}

/** Texts of one tag differ by a "+". */
const canonicalOf = (key: string): string => key.replace("+", "");

function toAsset(asset: WorldAsset, own: readonly MovementFact[]): AssetFact {
  const gone = asset.state === "disposed" || asset.state === "deleted";
  const others = asset.moves.map(
    ({ at, from, to }): MovementFact => ({
      at: new Date(at),
      fromLocationId: from,
      toLocationId: to,
      own: false,
    }),
  );
  // Of two movements at one instant, the own one was made later.
  const movements = [...others, ...own].sort((a, b) => a.at.getTime() - b.at.getTime());
  return {
    ...{ assetId: asset.id, gone, movements },
    lost: asset.state === "lost",
    inScope: asset.inScope && !gone,
    locationId: movements.at(-1)?.own ? movements.at(-1)?.toLocationId : asset.place,
    checkouts: asset.checkout
      ? [
          {
            id: asset.checkout.id,
            issuedAt: new Date(asset.checkout.from),
            returnedAt: asset.checkout.to === undefined ? undefined : new Date(asset.checkout.to),
          },
        ]
      : [],
  };
}
