/**
 * The rules of reconcile as the design words them, without pages, streams or earlier results. Only tests use it: it shares
 * no code with the implementation.
 */
export type World = {
  assets: WorldAsset[];
  tags: { code: string; on?: string | undefined; was?: string | undefined }[];
  expected: { asset: string; place: string | undefined }[];
  /** Codes that differ by a "+" are texts of one tag. */
  scans: { id: string; code: string; place: string; at: number; received: number }[];
  now: number;
};

export type WorldAsset = {
  id: string;
  state: "usual" | "lost" | "pending" | "disposed" | "deleted";
  inScope: boolean;
  place: string | undefined;
  /** In order. */
  moves: { at: number; from: string | undefined; to: string | undefined }[];
  /** Without `to` it is open. */
  checkout?: { id: string; from: number; to?: number | undefined } | undefined;
};

export type PlainRow = {
  subject: string;
  kind: string;
  reason?: string | undefined;
  asset?: string | undefined;
  /** Where it was expected, and where it was seen. */
  expected?: string | undefined;
  place?: string | undefined;
  checkout?: string | undefined;
};

export type PlainResult = {
  rows: PlainRow[];
  excluded: number;
  unexpectedInPlace: number;
  expectedScanned: number;
  foundInPlace: number;
};

export function reconcilePlainly({ scans: sent, ...rest }: World): PlainResult {
  // A device clock ahead: the scan was made when it arrived, at the latest.
  const world = {
    ...rest,
    scans: sent.map((scan) => ({
      ...scan,
      ...{ code: scan.code.replace("+", ""), at: Math.min(scan.at, scan.received) },
    })),
  };
  const result: PlainResult = {
    rows: [],
    excluded: 0,
    unexpectedInPlace: 0,
    expectedScanned: 0,
    foundInPlace: 0,
  };
  const gone = (id: string | undefined) =>
    world.assets.find((asset) => asset.id === id && ["disposed", "deleted"].includes(asset.state));

  // unregistered: no active tag binding at reconcile time, or one of a disposed or deleted asset.
  for (const code of new Set(world.scans.map((scan) => scan.code))) {
    const tag = world.tags.find((one) => one.code === code);
    if (tag?.on !== undefined && !gone(tag.on)) continue;
    const asset = gone(tag?.on ?? tag?.was);
    const place = latest(world.scans.filter((scan) => scan.code === code))?.place;
    const row: PlainRow = { subject: code, kind: "unregistered", place };
    if (asset) {
      row.reason = `${asset.state}_asset`;
      row.asset = asset.id;
    }
    result.rows.push(row);
  }

  for (const asset of world.assets) {
    const snapshot = world.expected.find((one) => one.asset === asset.id);
    if (gone(asset.id)) {
      if (snapshot) result.excluded += 1;
      continue;
    }
    const scans = world.scans.filter((scan) =>
      world.tags.some((tag) => tag.code === scan.code && tag.on === asset.id),
    );
    const last = latest(scans);
    if (!last) {
      if (!snapshot) continue;
      if (!asset.inScope) {
        result.excluded += 1;
        continue;
      }
      const row: PlainRow = {
        ...{ subject: `asset:${asset.id}`, kind: "missing", asset: asset.id },
        expected: snapshot.place,
      };
      if (
        asset.checkout &&
        !(asset.checkout.from > world.now) &&
        !(asset.checkout.to !== undefined && asset.checkout.to <= world.now)
      ) {
        row.reason = "checked_out";
        row.checkout = asset.checkout.id;
      }
      result.rows.push(row);
      continue;
    }
    if (snapshot) result.expectedScanned += 1;
    const inPlace =
      last.place === registerPlace(asset, last.at) ||
      (snapshot !== undefined && last.place === snapshot.place);
    let kind = "";
    if (seenTwice(asset, scans)) kind = "duplicate";
    else if (!inPlace) kind = "misplaced";
    else if (snapshot || asset.state === "lost") kind = "found";
    if (kind === "") {
      result.unexpectedInPlace += 1;
      continue;
    }
    if (kind === "found" && snapshot) result.foundInPlace += 1;
    const row: PlainRow = {
      ...{ subject: `asset:${asset.id}`, kind, asset: asset.id, place: last.place },
      expected: snapshot ? snapshot.place : registerPlace(asset, last.at),
    };
    if (asset.state === "lost") row.reason = "lost_asset";
    result.rows.push(row);
  }
  return result;
}

type WorldScan = World["scans"][number];

function later(a: WorldScan, b: WorldScan): boolean {
  if (a.at !== b.at) return a.at > b.at;
  if (a.received !== b.received) return a.received > b.received;
  return a.id > b.id;
}

function latest(scans: WorldScan[]): WorldScan | undefined {
  return scans.find((scan) => scans.every((other) => other === scan || later(scan, other)));
}

function registerPlace(asset: WorldAsset, at: number): string | undefined {
  const before = asset.moves.filter((move) => move.at <= at);
  const after = asset.moves.filter((move) => move.at > at);
  if (before.length > 0) return before[before.length - 1]?.to;
  if (after.length > 0) return after[0]?.from;
  return asset.place;
}

/** Whether two scans follow each other at different places, with no movement to the later place between them. */
function seenTwice(asset: WorldAsset, scans: WorldScan[]): boolean {
  for (const one of scans) {
    for (const two of scans) {
      if (!later(two, one) || one.place === two.place) continue;
      if (scans.some((third) => later(third, one) && later(two, third))) continue;
      const explained = asset.moves.some(
        (move) => move.at >= one.at && move.at <= two.at && move.to === two.place,
      );
      if (!explained) return true;
    }
  }
  return false;
}
