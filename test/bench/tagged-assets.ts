import { createHash } from "node:crypto";
import type { BenchPlatform } from "./platform.ts";
import { retryUntilSuccess } from "./readers.ts";

const IN_BULK = 1_000;
let made = 0;

export type TaggedAsset = { assetId: string; epc: string };

/** Creates assets with an RFID tag each. */
export async function tagAssets({ userApi }: BenchPlatform, count: number): Promise<TaggedAsset[]> {
  const assetIds: string[] = [];
  while (assetIds.length < count) {
    const size = Math.min(IN_BULK, count - assetIds.length);
    const assets = Array.from({ length: size }, (_, index) => ({ name: `Bench asset ${index}` }));
    const { results } = await retryUntilSuccess(() =>
      userApi.post<{ results: { id: string }[] }>("/assets/bulk", { assets }),
    );
    assetIds.push(...results.map(({ id }) => id));
  }
  const tagged: TaggedAsset[] = [];
  const commissionSome = async (): Promise<void> => {
    for (let assetId = assetIds.pop(); assetId !== undefined; assetId = assetIds.pop()) {
      const serial = createHash("md5").update(String(made++)).digest("hex").slice(0, 20);
      const epc = `FF01${serial}`.toUpperCase();
      await retryUntilSuccess(() =>
        userApi.post("/tags/commission", { epc, asset_id: assetId, type: "rfid" }),
      );
      tagged.push({ assetId, epc });
    }
  };
  await Promise.all(Array.from({ length: 8 }, commissionSome));
  return tagged;
}
