import {
  type ClientSession,
  createCountCache,
  defineRecords,
  type Mongo,
  type RecordDocument,
} from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { Page, PageQuery } from "@asset-register/rpc";
import { isSameListing, type Listing, listingOf } from "../../domain/presence/listing.ts";
import type { Zone } from "../../domain/zones/zone.ts";
import { zoneRecords } from "../zones/zones.ts";
import { presenceKey, type StoredPresence } from "./presences.ts";

/** A tag that is listed in a zone. The id is the key of its presence. */
export type ListedTag = {
  id: string;
  workspaceId: string;
  zoneId: string;
  epc: string;
  assetId?: string | undefined;
  since: Date;
};

/** Whether the tag has no asset: an index can't search for an absent field. */
type Beside = { unknown: boolean };

export const presentTagRecords = defineRecords<ListedTag, Beside>({
  collection: "present_tags",
  name: "present tag",
  fields: { zoneId: String, epc: String, assetId: String, since: Date },
  beside: { unknown: Boolean },
  indexes: [
    { name: "zone", key: { workspaceId: 1, zoneId: 1, since: 1, _id: 1 } },
    { name: "count", key: { workspaceId: 1, zoneId: 1, unknown: 1, assetId: 1 } },
  ],
});

type Row = RecordDocument<ListedTag, Beside>;
type Write =
  | { deleteOne: { filter: { _id: string } } }
  | { replaceOne: { filter: { _id: string }; replacement: Omit<Row, "_id">; upsert: true } };

/** How many are in a zone: distinct assets, and tags without one. */
export type ZoneCounts = Pick<Zone, "id" | "name"> & { assets: number; unknown: number };

/** The counts of all zones of a workspace, and when they were counted. */
export type CountedZones = { zones: ZoneCounts[]; asOf: Date };

/** Each count ends here. */
const MAX_COUNT = 100_000;
const COUNT_CACHE_MS = 5_000;

/**
 * Which tags are in which zone, in rows of their own: presences are rewritten by each read, so an index of them would be
 * too. A row is written only when the place of its tag changes, in the transaction that changes the presence.
 */
export function createPresentTagStore(mongo: Mongo) {
  const { list } = presentTagRecords.store(mongo);
  const zones = mongo.collection<RecordDocument<Zone>>(zoneRecords.collection);
  // Changes come from reads of many workspaces.
  const rows = systemCollection<Row>(mongo, presentTagRecords.collection);
  const counts = createCountCache<CountedZones>();
  return {
    /** Writes the rows of presences whose place has changed since they were loaded. */
    async save(changed: readonly StoredPresence[], session: ClientSession): Promise<void> {
      const writes = changed.flatMap(writesOf);
      if (writes.length > 0) await rows.bulkWrite(writes, { session, ordered: false });
    },

    /** The tags in a zone by (since, code). A count of all would cost more than the page. */
    list: (workspaceId: string, zoneId: string, page: PageQuery): Promise<Page<ListedTag>> =>
      list(
        workspaceId,
        { ...page, sort: "since" },
        { filter: { zoneId }, sorts: { since: "since" }, total: async () => 0 },
      ),

    /** Removes rows whose tags are no longer there. A row that has changed meanwhile stays. */
    async removeStale(stale: readonly ListedTag[]): Promise<void> {
      if (stale.length === 0) return;
      await rows.bulkWrite(
        stale.map(({ id, zoneId, since }) => ({ deleteOne: { filter: { _id: id, zoneId, since } } })),
        { ordered: false },
      );
    },

    /** Counts what is in each zone, at most every 5 s in this process. */
    countByZone: (workspaceId: string, now: Date): Promise<CountedZones> =>
      counts.count(workspaceId, COUNT_CACHE_MS, async () => ({
        zones: await zones.aggregate<ZoneCounts>(countPipeline(workspaceId)).toArray(),
        asOf: now,
      })),
  };
}

/** One query: the counts of each zone are two ranges of an index. */
export function countPipeline(workspaceId: string) {
  const present = (as: string, unknown: boolean, ...count: Record<string, unknown>[]) => ({
    $lookup: {
      from: presentTagRecords.collection,
      ...{ localField: "_id", foreignField: "zoneId", as },
      pipeline: [{ $match: { workspaceId, unknown } }, { $limit: MAX_COUNT }, ...count, { $count: "n" }],
    },
  });
  const countIn = (field: string) => ({ $ifNull: [{ $first: `${field}.n` }, 0] });
  return [
    { $match: { workspaceId } },
    { $sort: { _id: 1 } },
    { $project: { name: 1 } },
    present("assets", false, { $group: { _id: "$assetId" } }),
    present("unknown", true),
    { $project: { _id: 0, id: "$_id", name: 1, assets: countIn("$assets"), unknown: countIn("$unknown") } },
  ];
}

function writesOf(presence: StoredPresence): Write[] {
  const listing = listingOf(presence.state);
  // A tag without a presence is not listed. Of presences of an earlier release it is not known.
  const known = presence.rev === 0 ? {} : presence.listed;
  if (known !== undefined && isSameListing(known.listing, listing)) return [];
  const _id = presenceKey(presence);
  if (listing === undefined) return [{ deleteOne: { filter: { _id } } }];
  return [{ replaceOne: { filter: { _id }, replacement: rowOf(presence, listing), upsert: true } }];
}

function rowOf({ workspaceId, epc }: StoredPresence, { zoneId, since, assetId }: Listing): Omit<Row, "_id"> {
  const unknown = assetId === undefined;
  return { workspaceId, zoneId, epc, since: new Date(since), unknown, ...(!unknown && { assetId }) };
}
