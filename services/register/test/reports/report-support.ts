import { newId } from "@asset-register/runtime";
import { type Asset, newAsset } from "../../src/domain/assets/asset.ts";
import { assetRecords } from "../../src/store/assets/asset-records.ts";
import type { RunningRegister } from "../support.ts";

const actor = { kind: "user" as const, id: "usr_1" };

/** Stores assets without the operation: fast, and with fields of any value. */
export async function storeAssets(
  { mongo }: Pick<RunningRegister, "mongo">,
  workspaceId: string,
  all: Partial<Asset>[],
): Promise<Asset[]> {
  const { insertMany } = assetRecords.store(mongo);
  const assets = all.map((fields, index) => {
    const own = { id: newId("ast"), workspaceId, number: newId("n"), statusId: "sta_1", currency: "EUR" };
    return { ...newAsset({ name: `Asset ${index}`, cost: fields.cost }, own, new Date(), actor), ...fields };
  });
  for (let from = 0; from < assets.length; from += 1_000) {
    await mongo.transaction({}, (session) =>
      insertMany(workspaceId, assets.slice(from, from + 1_000), session),
    );
  }
  return assets;
}

export const disposal = {
  ...{ at: new Date("2026-05-04T10:00:00.000Z"), date: "2026-05-04", method: "sold" as const, proceeds: 1 },
  by: actor,
};
