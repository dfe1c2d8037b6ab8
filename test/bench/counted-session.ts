import { newId } from "@asset-register/runtime";
import type mongoose from "mongoose";
import type { BenchPlatform } from "./platform.ts";

type Id = { id: string };
type Stored = { _id: string; workspaceId: string };

const BATCH = 5_000;

/**
 * An open stock-take of many assets. One of `shares` assets is not scanned, and one was scanned in another room. The assets,
 * their tags and the scans are copies of one that the API made, since the API would take hours.
 */
export async function countedSession(
  { userApi, demo: { workspace_id: workspaceId } }: BenchPlatform,
  database: (service: string) => mongoose.Connection,
  { assets, shares }: { assets: number; shares: number },
): Promise<Id> {
  const property = await userApi.post<Id>("/properties", { name: "Count site" });
  const room = (name: string) => userApi.post<Id>("/locations", { name, property_id: property.id });
  const [hall, attic] = [await room("Count hall"), await room("Count attic")];
  const asset = await userApi.post<Id>("/assets", { name: "Counted", location_id: hall.id });
  const tag = await userApi.post<Id>("/tags/commission", { asset_id: asset.id, code: "COUNT-0" });
  const scope = { scope_type: "location", scope_id: hall.id };
  const session = await userApi.post<Id>("/stocktake/sessions", { name: "Count", ...scope });

  const ids = Array.from({ length: assets - 1 }, () => newId("ast"));
  const code = (index: number) => `COUNT-${index + 1}`;
  await copies(database("register").collection<Stored>("assets"), asset.id, ids, (id) => ({
    ...{ _id: id, number: id, numberKey: id, numberKeys: [id] },
  }));
  await copies(database("tagging-ingest").collection<Stored>("tags"), tag.id, ids, (assetId, index) => ({
    ...{ _id: newId("tag"), assetId, code: code(index), key: `code:${code(index)}` },
    lookupKeys: [`code:${code(index)}`],
  }));
  await userApi.post(`/stocktake/sessions/${session.id}/open`);
  await opened(userApi, session.id);

  const at = new Date().toISOString();
  const first = { code: "COUNT-0", location_id: hall.id, method: "qr", device_id: "sled", scanned_at: at };
  await userApi.post(`/stocktake/sessions/${session.id}/scans`, { scans: [first] });
  const scans = database("stocktake").collection<Stored>("scans");
  const scan = await scans.findOne({ sessionId: session.id, workspaceId } as object);
  const scanned = ids.flatMap((_, index) => (index % shares === 0 ? [] : [index]));
  await copies(scans, scan?._id ?? "", scanned, (index) => ({
    ...{ _id: newId("scn"), code: code(index), normalised: `code:${code(index)}`, key: `key-${index}` },
    ...(index % shares === 1 && { locationId: attic.id }),
  }));
  return session;
}

async function copies<T>(
  collection: mongoose.Collection<Stored>,
  id: string,
  items: readonly T[],
  change: (item: T, index: number) => object,
): Promise<void> {
  const original = await collection.findOne({ _id: id });
  if (original === null) throw new Error(`${id} is not stored`);
  for (let at = 0; at < items.length; at += BATCH) {
    const batch = items.slice(at, at + BATCH);
    await collection.insertMany(batch.map((item, index) => ({ ...original, ...change(item, at + index) })));
  }
}

async function opened(userApi: BenchPlatform["userApi"], id: string): Promise<void> {
  for (;;) {
    const { status } = await userApi.get<{ status: string }>(`/stocktake/sessions/${id}`);
    if (status === "open") return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
