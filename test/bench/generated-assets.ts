import { deterministicId } from "@asset-register/runtime";
import { type Asset, type AssetTag, newAsset } from "../../services/register/src/domain/assets/asset.ts";
import { formatNumber } from "../../services/register/src/domain/assets/asset-number.ts";
import { manufacturerOf, nameOf } from "./asset-words.ts";
import { createRandom, type Random } from "./seeded-random.ts";

/** The records that the assets refer to, by their ids. */
export type Organisation = {
  workspaceId: string;
  userId: string;
  locations: readonly { id: string; propertyId: string }[];
  custodians: readonly string[];
  categories: readonly string[];
  departments: readonly string[];
  /** By key. */
  statuses: Readonly<Record<string, string>>;
};

const HOUR_MS = 3_600_000;
/** The register is as old as this when the last asset is created. */
const AGE_MS = 3 * 365 * 24 * HOUR_MS;

/** The statuses of assets in use, with their shares. */
const shares = [
  ["in_use", 0.6],
  ["in_stock", 0.25],
  ["under_maintenance", 0.08],
  ["damaged", 0.04],
  ["lost", 0.01],
] as const;

/** `first` is the number of the last asset before them. */
export type Series = { first: number; count: number; end: Date; seed?: number };

/** The n-th asset of a series. It is the same in each run with the same series and organisation. */
export function generatedAsset(
  index: number,
  { first, count, end, seed = 1 }: Series,
  organisation: Organisation,
): Asset {
  const counter = first + index + 1;
  const random = createRandom(seed * 1_000_003 + counter);
  const { workspaceId, userId, locations, custodians, categories, departments, statuses } = organisation;
  const at = new Date(end.getTime() - AGE_MS + Math.floor((index / count) * (AGE_MS - HOUR_MS)));
  const by = { kind: "user", id: userId } as const;
  const { name, kind } = nameOf(random);
  const place = locations[skewed(random, locations.length)];
  const cost = 1_000 + random.below(500_000);
  // Most assets of a kind are in one category, so some pairs of a word and a category are rare though both are common.
  const category = random.chance(0.9) ? kind % categories.length : random.below(categories.length);
  const asset = newAsset(
    {
      name,
      description: `${name}, bought for the ${kind + 1}. line`,
      categoryId: categories[category],
      departmentId: departments[random.below(departments.length)],
      locationId: place?.id,
      propertyId: place?.propertyId,
      ...(random.chance(0.8) && { custodianId: custodians[skewed(random, custodians.length)] }),
      serialNumber: `${random.chance(0.1) ? "SN-" : "X"}${hexOf(random, 8)}`,
      manufacturer: manufacturerOf(random),
      model: `M${random.below(900) + 100}`,
      cost,
      inServiceDate: at.toISOString().slice(0, 10),
      ...(random.chance(0.5) && { customFields: { rack: `R${random.below(400)}`, warranty_months: 24 } }),
    },
    {
      ...{
        id: deterministicId("ast", at, seed, counter),
        workspaceId,
        number: formatNumber("AST-", counter),
      },
      ...{ statusId: statusOf(random, statuses), currency: "EUR" },
    },
    at,
    by,
  );
  const updatedAt = new Date(at.getTime() + Math.floor(random.next() * (end.getTime() - at.getTime())));
  const changed = { ...asset, updatedAt, rev: 2, ...(random.chance(0.6) && { tags: tagsOf(random) }) };
  if (random.chance(0.01)) return { ...changed, deletedAt: updatedAt };
  if (random.chance(0.03)) {
    const disposed = {
      at: updatedAt,
      date: updatedAt.toISOString().slice(0, 10),
      method: "scrapped",
      by,
    } as const;
    return { ...changed, statusId: statuses.disposed ?? "", disposed };
  }
  return changed;
}

/** The first ones are the most common. */
const skewed = (random: Random, end: number): number => Math.floor(random.next() ** 2 * end);

function statusOf(random: Random, statuses: Readonly<Record<string, string>>): string {
  let left = random.next();
  for (const [key, share] of shares) {
    left -= share;
    if (left < 0) return statuses[key] ?? "";
  }
  return statuses.retired ?? "";
}

function tagsOf(random: Random): AssetTag[] {
  const rfid = { id: `tag_${hexOf(random, 24)}`, type: "rfid", epc: `E280${hexOf(random, 20)}` } as const;
  if (random.chance(0.7)) return [rfid];
  return [rfid, { id: `tag_${hexOf(random, 24)}`, type: "qr", code: hexOf(random, 10) }];
}

const hexOf = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => random.below(16).toString(16))
    .join("")
    .toUpperCase();
