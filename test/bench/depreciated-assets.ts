import { setTimeout as delay } from "node:timers/promises";
import { newId } from "@asset-register/runtime";
import type mongoose from "mongoose";
import type { BenchPlatform } from "./platform.ts";

type Id = { id: string };
type Stored = { _id: string; assetId?: string };

const BATCH = 5_000;

/**
 * Assets that are charged from this month on, with a profile each: copies of one that the API made, in finance's own
 * database, since the API would take hours. Returns the month.
 */
export async function depreciatedAssets(
  { userApi }: BenchPlatform,
  finance: mongoose.Connection,
  count: number,
): Promise<{ year: number; month: number }> {
  const now = new Date();
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
  const asset = await userApi.post<Id>("/assets", {
    ...{ name: "Depreciated", cost: 1249.9, salvage_value: 100, useful_life_months: 60 },
    in_service_date: `${year}-${String(month).padStart(2, "0")}-01`,
    depreciation_method: "straight_line",
  });
  const [assets, profiles] = [finance.collection<Stored>("assets"), finance.collection<Stored>("profiles")];
  const profile = await stored(profiles, { assetId: asset.id });
  const known = await stored(assets, { _id: asset.id });
  for (let done = 1; done < count; done += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - done) }, () => newId("ast"));
    await assets.insertMany(ids.map((_id) => ({ ...known, _id })));
    await profiles.insertMany(ids.map((assetId) => ({ ...profile, _id: newId("prf"), assetId })));
  }
  return { year, month };
}

/** A document, as soon as finance has heard of the asset. */
async function stored(collection: mongoose.Collection<Stored>, filter: object): Promise<Stored> {
  for (;;) {
    const found = await collection.findOne(filter);
    if (found !== null) return found;
    await delay(200);
  }
}
