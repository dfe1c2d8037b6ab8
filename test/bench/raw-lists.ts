import { queryPrefixes } from "@asset-register/runtime";
import type { mongo } from "mongoose";

type Assets = mongo.Collection<{ _id: string }>;

const fields: Record<string, string> = {
  status_id: "statusId",
  category_id: "categoryId",
  location_id: "locationId",
  custodian_id: "custodianId",
  property_id: "propertyId",
};
const orders: Record<string, string> = {
  id: "_id",
  updated_at: "updatedAt",
  name: "nameKey",
  number: "numberKey",
};
const MAX_COUNT = 100_001;
export const LIMIT_MS = 5_000;
const limited = { maxTimeMS: LIMIT_MS };

/** What a request asks of the register, as the driver alone would do it: the page and its total, without hints. */
export async function readRaw(assets: Assets, workspaceId: string, path: string): Promise<unknown> {
  const { pathname, searchParams: query } = new URL(path, "http://raw");
  const filter = filterOf(workspaceId, query);
  if (pathname === "/assets/facets") return countRaw(assets, filter);
  if (pathname !== "/assets") {
    return assets.findOne({ _id: pathname.slice("/assets/".length), ...filter });
  }
  const limit = Number(query.get("per_page"));
  // The order after a cursor costs what the order costs.
  const sort = query.get("sort") ?? (query.has("updated_since") ? "updated_at" : "id");
  const direction = sort.startsWith("-") ? -1 : 1;
  const field = orders[sort.replace("-", "")] ?? "_id";
  const order = field === "_id" ? { _id: direction } : { [field]: direction, _id: direction };
  const skipped = (Number(query.get("page") ?? 1) - 1) * limit;
  const page = assets.find(filter, {
    ...limited,
    sort: order as mongo.Sort,
    skip: skipped,
    limit: limit + 1,
  });
  const isWhole = Object.keys(filter).length === 2;
  const total = isWhole ? 0 : assets.countDocuments(filter, { ...limited, limit: MAX_COUNT });
  return Promise.all([page.toArray(), total]);
}

async function countRaw(assets: Assets, filter: mongo.BSON.Document): Promise<unknown> {
  const group = (field: string) =>
    assets
      .aggregate(
        [{ $match: filter }, { $limit: MAX_COUNT }, { $group: { _id: `$${field}`, count: { $sum: 1 } } }],
        limited,
      )
      .toArray();
  return Promise.all(["statusId", "categoryId", "locationId"].map(group));
}

function filterOf(workspaceId: string, query: URLSearchParams): mongo.BSON.Document {
  const filter: Record<string, unknown> = { workspaceId, deleted: false };
  for (const [name, field] of Object.entries(fields)) if (query.has(name)) filter[field] = query.get(name);
  const since = query.get("updated_since");
  if (since !== null) filter.updatedAt = { $gte: new Date(since) };
  const prefixes = queryPrefixes(query.get("q") ?? "");
  if (prefixes.length > 0) filter.$and = prefixes.map((prefix) => ({ tokens: { $regex: `^${prefix}` } }));
  return filter;
}
