import { newId } from "@asset-register/runtime";
import mongoose from "mongoose";
import { type BenchPlatform, registerDatabase } from "./platform.ts";

const TOGETHER = 5_000;
const LOCATIONS = 200;
const CUSTODIANS = 50;
const CATEGORIES = 20;

type Record = { id: string };

/**
 * Adds assets to the demo workspace: copies of one that the register has created, in its collection, because a million
 * requests would take hours. Their places, custodians, categories and amounts differ.
 */
export async function addAssets(
  bench: BenchPlatform,
  count: number,
  progress: (line: string) => void = () => undefined,
): Promise<void> {
  const { userApi } = bench;
  const property = await userApi.post<Record>("/properties", { name: "Bench", code: newId("ben") });
  const make = async (number: number, collection: string, fields: object = {}): Promise<string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < number; index += 1) {
      ids.push((await userApi.post<Record>(`/${collection}`, { name: `Bench ${index}`, ...fields })).id);
    }
    return ids;
  };
  const locations = await make(LOCATIONS, "locations", { property_id: property.id });
  const custodians = await make(CUSTODIANS, "custodians");
  const categories = await make(CATEGORIES, "categories");
  const { id } = await userApi.post<Record>("/assets", {
    ...{ name: "Bench drill", description: "A drill that the benchmark has made", serial_number: "SN-1" },
    ...{ manufacturer: "Acme", model: 'X1 "Carbon"', cost: 1249.9, location_id: locations[0] },
  });

  const client = await new mongoose.mongo.MongoClient(bench.mongoUrl).connect();
  try {
    const assets = client.db(registerDatabase(bench)).collection<{ _id: string; tokens: string[] }>("assets");
    const original = await assets.findOne({ _id: id });
    if (original === null) throw new Error("the asset is not stored");
    const copy = (index: number) => {
      const number = `bench-${newId("ben")}`;
      const cost = 10_000 + (index % 977) * 100;
      return {
        ...original,
        ...{ _id: newId("ast"), number, numberKey: number, numberKeys: [number] },
        ...{ tokens: [number, ...original.tokens.slice(1)], cost, nbv: cost },
        locationId: locations[index % LOCATIONS],
        custodianId: custodians[index % CUSTODIANS],
        categoryId: categories[index % CATEGORIES],
      };
    };
    // With its indexes, the collection takes a few hundred rows a second on a busy machine.
    const indexes = (await assets.indexes()).filter(({ name }) => name !== "_id_");
    await assets.dropIndexes();
    for (let done = 0; done < count; done += TOGETHER) {
      const size = Math.min(TOGETHER, count - done);
      const copies = Array.from({ length: size }, (_, index) => copy(done + index));
      await assets.insertMany(copies, { ordered: false, writeConcern: { w: 1, j: false } });
      if ((done / TOGETHER) % 10 === 0) progress(`assets: ${done + size} of ${count}`);
    }
    progress(`assets: ${indexes.length} indexes`);
    await assets.createIndexes(indexes.map(({ v: _version, ...index }) => index));
  } finally {
    await client.close();
  }
}
