import { type Chunk, type ClientSession, createLongWork, type LongWork } from "@asset-register/mongo";
import { changesBetween } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { type Asset, changeAsset } from "../../domain/assets/asset.ts";
import type { Status } from "../../domain/assets/status.ts";
import { anchorOf, type Place, placeFields, placeOf, samePlace } from "../../domain/organisation/place.ts";
import { assetUpdated } from "../../published.ts";
import type { PlacedAsset } from "../../store/assets/assets.ts";
import type { PlacedAfter, PlacingRecord } from "../../store/organisation/organisation.ts";
import { historyEntry } from "../assets/save-asset-change.ts";
import { existing } from "../assets/statuses.ts";

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
  context: Context,
  { secondPassMs = SECOND_PASS_MS, leaseMs }: PlacingSettings = {},
): LongWork<PlacingRecord> {
  return createLongWork<PlacingRecord>({
    ...{ ...context, collection: "organisation", leaseMs },
    // It has no failure by content.
    statuses: { placing: { failed: "placing" }, settling: { failed: "settling" } },
    step: (record) => placeNextAssets(context, record, secondPassMs),
  });
}

async function placeNextAssets(
  context: Context,
  record: PlacingRecord,
  secondPassMs: number,
): Promise<Chunk<PlacingRecord>> {
  const { stores } = context;
  const { workspaceId, status, progress, placedAfter = BEGINNING } = record;
  await requireActive(context, workspaceId);
  const { field, references } = await referencesBelow(context, record);
  const isFirst = status === "placing" && placedAfter.reference === "";
  const total = isFirst ? await stores.assets.countReferring(workspaceId, field, references) : progress.total;
  const limit = status === "placing" ? CHUNK : PAGE;
  const page = await stores.assets.listPlaces(workspaceId, field, references, placedAfter, limit);
  const { seen, wrong } = await findWrong(context, workspaceId, page);
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
    save: (session) => saveNewPlaces(context, record, { ids: wrong, statuses }, session),
  };
}

type Below = { field: keyof Place | "locationId"; references: string[] };

/** The records below, sorted, and the field by which assets refer to them. Assets name all levels above them. */
async function referencesBelow(
  { stores }: Context,
  { _id: id, workspaceId, kind }: Pick<PlacingRecord, "_id" | "workspaceId" | "kind">,
): Promise<Below> {
  if (kind === "building") return { field: "buildingId", references: [id] };
  if (kind === "floor") return { field: "floorId", references: [id] };
  const below = await stores.organisation.below({ id, workspaceId, kind });
  return { field: "locationId", references: [id, ...below.map((location) => location.id)].sort() };
}

/** The assets whose place differs from the organisation, at most a chunk, and all assets up to the last one. */
async function findWrong(
  context: Context,
  workspaceId: string,
  page: PlacedAsset[],
): Promise<{ seen: PlacedAsset[]; wrong: string[] }> {
  const places = await placesOf(context, workspaceId, page);
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
  context: Context,
  { workspaceId, movedBy }: PlacingRecord,
  { ids, statuses }: { ids: string[]; statuses: Status[] },
  session: ClientSession,
): Promise<void> {
  const { stores, outbox, now } = context;
  if (ids.length === 0) return;
  const assets = await stores.assets.getAll(workspaceId, ids, session);
  const places = await placesOf(context, workspaceId, assets, session);
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
  { stores }: Context,
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
