import { newId } from "@asset-register/runtime";
import { generatedAsset, type Organisation } from "./generated-assets.ts";
import { insertAssets } from "./insert-assets.ts";
import type { BenchPlatform } from "./platform.ts";

const PROPERTIES = 20;
const LOCATIONS = 200;
const CUSTODIANS = 50;
const CATEGORIES = 20;
const DEPARTMENTS = 10;

/** The assets of a run with the same seed are the same, but for the ids of what they refer to. */
const END = new Date("2026-11-26T00:00:00Z");

type Rows = { data: { id: string; key: string }[]; total: number };

/**
 * Adds assets with many words to the demo workspace, each with the documents that the register would have stored, because a
 * million requests would take hours.
 */
export async function addGeneratedAssets(
  bench: BenchPlatform,
  count: number,
  progress: (line: string) => void = () => undefined,
): Promise<void> {
  const organisation = await makeOrganisation(bench);
  const first = await lastNumber(bench);
  const assetOf = (index: number) => generatedAsset(index, { first, count, end: END }, organisation);
  await insertAssets(bench, bench.demo.workspace_id, { first, count }, assetOf, progress);
}

/** The same, unless an earlier run with the same data has added them. */
export async function fillRegister(
  bench: BenchPlatform,
  count: number,
  progress: (line: string) => void,
): Promise<void> {
  const { total } = await bench.userApi.get<Rows>("/assets?per_page=1");
  if (total > 0) return progress(`assets: ${total} are there`);
  await addGeneratedAssets(bench, count, progress);
}

/** That of a new asset, which says how many numbers are in use. */
async function lastNumber({ userApi }: BenchPlatform): Promise<number> {
  const { number } = await userApi.post<{ number: string }>("/assets", { name: "Bench drill" });
  return Number(number.replace(/\D/g, ""));
}

async function makeOrganisation({ userApi, demo }: BenchPlatform): Promise<Organisation> {
  const make = async (
    number: number,
    collection: string,
    fieldsOf: (index: number) => object = () => ({}),
  ) => {
    const ids: string[] = [];
    for (let index = 0; index < number; index += 1) {
      const body = { name: `Bench ${index}`, ...fieldsOf(index) };
      ids.push((await userApi.post<{ id: string }>(`/${collection}`, body)).id);
    }
    return ids;
  };
  const properties = await make(PROPERTIES, "properties", () => ({ code: newId("ben") }));
  const propertyOf = (index: number) => properties[index % PROPERTIES] ?? "";
  const locations = await make(LOCATIONS, "locations", (index) => ({ property_id: propertyOf(index) }));
  const { data } = await userApi.get<Rows>("/statuses");
  return {
    ...{ workspaceId: demo.workspace_id, userId: "usr_bench" },
    locations: locations.map((id, index) => ({ id, propertyId: propertyOf(index) })),
    custodians: await make(CUSTODIANS, "custodians"),
    categories: await make(CATEGORIES, "categories"),
    departments: await make(DEPARTMENTS, "departments"),
    statuses: Object.fromEntries(data.map(({ key, id }) => [key, id])),
  };
}
