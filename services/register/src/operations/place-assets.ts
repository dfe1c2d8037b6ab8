import type { Outbox } from "@asset-register/events";
import { type ClientSession, createLongWork, type LongWork, type Mongo } from "@asset-register/mongo";
import { changesBetween, type Logger, type Metrics } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import type { Stores } from "../context.ts";
import { type Asset, changeAsset } from "../domain/asset.ts";
import { anchorOf, type Place, placeFields, placeOf, samePlace } from "../domain/place.ts";
import type { Status } from "../domain/status.ts";
import { assetUpdated } from "../published.ts";
import type { PlacedAsset } from "../store/assets.ts";
import type { PlacedAfter, PlacingRecord } from "../store/organisation.ts";
import { historyEntry } from "./save-asset-change.ts";
import { existing } from "./statuses.ts";

type Parts = {
  mongo: Mongo;
  stores: Stores;
  outbox: Outbox;
  logger: Logger;
  metrics: Metrics;
  now(): Date;
};

/** How the waiting times of the work differ in tests. */
export type PlacingSettings = { secondPassMs?: number; leaseMs?: number };

/** Longer than any transaction lasts: then no write that began before the move is still to come. */
const SECOND_PASS_MS = 30_000;
/** Assets that one step changes at most, and assets that one step of the second pass looks at. */
const CHUNK = 500;
const PAGE = 2_000;
const BEGINNING: PlacedAfter = { reference: "", assetId: "" };

/**
 * Gives the assets below a moved record the place that the organisation has for them now. The first pass is shown as
 * `placing`. A second one finds what writes that had begun before the move have left behind.
 */
export function createPlacing(
  parts: Parts,
  { secondPassMs = SECOND_PASS_MS, leaseMs }: PlacingSettings = {},
): LongWork<PlacingRecord> {
  const { mongo, stores, logger, metrics } = parts;
  return createLongWork<PlacingRecord>({
    ...{ mongo, collection: "organisation", logger, metrics, leaseMs },
    // It has no failure by content.
    statuses: { placing: { failed: "placing" }, settling: { failed: "settling" } },
    async step(record) {
      const { workspaceId, status, progress, placedAfter = BEGINNING } = record;
      await requireActive(parts, workspaceId);
      const { field, references } = await referencesBelow(stores, record);
      const isFirst = status === "placing" && placedAfter.reference === "";
      const total = isFirst
        ? await stores.assets.countReferring(workspaceId, field, references)
        : progress.total;
      const limit = status === "placing" ? CHUNK : PAGE;
      const page = await stores.assets.listPlaces(workspaceId, field, references, placedAfter, limit);
      const { seen, wrong } = await findWrong(stores, workspaceId, page);
      const statuses = await stores.statuses.list(workspaceId);
      const done = status === "placing" ? progress.done + seen.length : progress.done;
      const isLast = seen.length === page.length && page.length < limit;
      const last = seen.at(-1);
      return {
        progress: { done, total: Math.max(done, total) },
        set: {
          placedAfter: isLast || !last ? BEGINNING : { reference: last.reference, assetId: last.id },
        },
        ...(isLast && status === "placing" && { status: "settling", waitMs: secondPassMs }),
        ...(isLast && status === "settling" && { status: "placed" }),
        save: (session) => saveNewPlaces(parts, record, { ids: wrong, statuses }, session),
      };
    },
  });
}

type Below = { field: keyof Place | "locationId"; references: string[] };

/** The records below, sorted, and the field by which assets refer to them. Assets name all levels above them. */
async function referencesBelow(
  stores: Stores,
  { _id: id, workspaceId, kind }: Pick<PlacingRecord, "_id" | "workspaceId" | "kind">,
): Promise<Below> {
  if (kind === "building") return { field: "buildingId", references: [id] };
  if (kind === "floor") return { field: "floorId", references: [id] };
  const below = await stores.organisation.below({ id, workspaceId, kind });
  return { field: "locationId", references: [id, ...below.map((location) => location.id)].sort() };
}

/** The assets whose place differs from the organisation, at most a chunk, and all assets up to the last one. */
async function findWrong(
  stores: Stores,
  workspaceId: string,
  page: PlacedAsset[],
): Promise<{ seen: PlacedAsset[]; wrong: string[] }> {
  const places = await placesOf(stores, workspaceId, page);
  const wrong: string[] = [];
  for (const [index, asset] of page.entries()) {
    if (samePlace(asset, newPlace(asset, places))) continue;
    if (wrong.length === CHUNK) return { seen: page.slice(0, index), wrong };
    wrong.push(asset.id);
  }
  return { seen: page, wrong };
}

/** Reads assets and organisation again: in this transaction they agree, whatever has changed since `findWrong`. */
async function saveNewPlaces(
  { stores, outbox, now }: Parts,
  { workspaceId, movedBy }: PlacingRecord,
  { ids, statuses }: { ids: string[]; statuses: Status[] },
  session: ClientSession,
): Promise<void> {
  if (ids.length === 0) return;
  const assets = await stores.assets.getAll(workspaceId, ids, session);
  const places = await placesOf(stores, workspaceId, assets, session);
  const at = now();
  const changed = assets.flatMap((before) => {
    const place = newPlace(before, places);
    if (before.deletedAt || samePlace(before, place)) return [];
    const changes = changesBetween(placeFields(before), placeFields(place));
    return { asset: changeAsset(before, place, at, movedBy.actor), changes };
  });
  const byId = new Map(statuses.map((status) => [status.id, status]));
  const statusOf = ({ statusId }: Asset) => existing(byId.get(statusId), workspaceId, statusId);
  await stores.assets.savePlaces(
    workspaceId,
    changed.map(({ asset }) => asset),
    session,
  );
  await stores.history.append(
    workspaceId,
    changed.map(({ asset, changes }) => historyEntry(movedBy, asset, { at, action: "updated", changes })),
    session,
  );
  const events = changed.map(({ asset, changes }) =>
    assetUpdated(
      asset,
      statusOf(asset),
      changes.map(({ field }) => field),
    ),
  );
  await outbox.add(session, ...events);
}

type Standing = Place & { locationId?: string | undefined };

async function placesOf(
  stores: Stores,
  workspaceId: string,
  assets: readonly Standing[],
  session?: ClientSession,
): Promise<Map<string, Place>> {
  const ids = [...new Set(assets.flatMap((asset) => anchorOf(asset) ?? []))];
  const records = await stores.organisation.getAll(workspaceId, ids, session);
  return new Map(records.map((record) => [record.id, placeOf(record)]));
}

const newPlace = (asset: Standing, places: ReadonlyMap<string, Place>): Place =>
  placeFields(places.get(anchorOf(asset) ?? "") ?? asset);
