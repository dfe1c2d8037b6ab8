import type { Progress } from "../types.ts";
import { departments, type Kind, kinds, people, places } from "./content.ts";
import { type Api, type Record, signIn, type User } from "./demo-api.ts";
import { all, at } from "./lists.ts";
import { drawPicture } from "./picture.ts";
import { trackAssets } from "./track-assets.ts";

const ASSETS_A_KIND = 12;
const DAY_MS = 86_400_000;

/** Days from today, as a date. */
const day = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/**
 * Fills an empty demo workspace, as a person would by the pages: assets with pictures, places, people, check-outs of
 * which some are overdue, due maintenance and contracts, and what readers have read. A workspace with assets stays as it
 * is.
 * @throws LocalError if a request is refused
 */
export async function fillDemo(baseUrl: string, user: User, progress: Progress): Promise<void> {
  const base = `${baseUrl}/asset_manager_api`;
  const api = await signIn(base, user);
  const { total } = await api.get<{ total: number }>("/assets?per_page=1");
  if (total > 0) return;
  progress("demo: filling the workspace");
  const rooms = await makePlaces(api);
  const teams = await all(departments, (name) => api.post("/departments", { name }));
  const custodians = await all(people, (name, index) =>
    api.post("/custodians", {
      name,
      email: `${name.split(" ", 1)[0]?.toLowerCase()}@demo.example`,
      department_id: at(teams, index).id,
    }),
  );
  const assets = (await all(kinds, (kind, index) => makeAssets(api, kind, index, rooms, custodians))).flat();
  // At the same time, since alerts take a moment; with a session of its own, since each has its limit.
  const tracking = signIn(base, user).then((own) => trackAssets(own, base, assets, rooms));
  await Promise.all([tracking, makeWork(api, assets, custodians, rooms)]);
}

async function makeWork(
  api: Api,
  assets: readonly Record[],
  custodians: readonly Record[],
  rooms: readonly Record[],
): Promise<void> {
  await makeCheckouts(api, assets, custodians);
  await makeDueWork(api, assets);
  await all(assets.slice(40, 48), ({ id }, index) =>
    api.post("/movements", {
      asset_id: id,
      to_location_id: at(rooms, index + 3).id,
      note: "Moved with the team",
    }),
  );
}

async function makePlaces(api: Api): Promise<Record[]> {
  const made = new Map<string, Record>();
  const once = async (path: string, name: string, parent: object): Promise<Record> => {
    const key = `${path} ${name}`;
    const record = made.get(key) ?? (await api.post<Record>(path, { name, ...parent }));
    made.set(key, record);
    return record;
  };
  const found = await all(places, async ({ property, building, floor, rooms }) => {
    const { id: property_id } = await once("/properties", property, {});
    const { id: building_id } = await once("/buildings", building, { property_id });
    const { id: floor_id } = await once("/floors", floor, { building_id });
    return all(rooms, (name) => api.post("/locations", { name, floor_id }));
  });
  return found.flat();
}

async function makeAssets(
  api: Api,
  { category, months, shape, models }: Kind,
  kind: number,
  rooms: readonly Record[],
  custodians: readonly Record[],
): Promise<Record[]> {
  const depreciation = { method: "straight_line", useful_life_months: months, salvage_percent: 10 };
  const { id: category_id } = await api.post("/categories", { name: category, depreciation });
  return all(Array.from({ length: ASSETS_A_KIND }), async (_, index) => {
    const [name, manufacturer, cost] = at(models, index);
    const asset = await api.post("/assets", {
      ...{ name, manufacturer, cost, category_id },
      location_id: at(rooms, index + kind).id,
      custodian_id: index % 4 === 0 ? null : at(custodians, index * 3 + kind).id,
      serial_number: `${manufacturer.slice(0, 2).toUpperCase()}-${10_000 + kind * 1_000 + index * 37}`,
      in_service_date: day(-60 * (index + 1)),
      useful_life_months: months,
      depreciation_method: "straight_line",
    });
    const picture = new FormData();
    const image = await drawPicture(shape, (kind * 67 + index * 11) % 360);
    picture.append("file", new Blob([new Uint8Array(image)], { type: "image/webp" }), "picture.webp");
    await api.post(`/assets/${asset.id}/image`, picture);
    return asset;
  });
}

/** Some are due in a moment: they are overdue when somebody looks. */
function makeCheckouts(
  api: Api,
  assets: readonly Record[],
  custodians: readonly Record[],
): Promise<Record[]> {
  return all(assets.slice(0, 14), ({ id }, index) =>
    api.post(`/assets/${id}/checkouts`, {
      issued_to_type: "custodian",
      issued_to_id: at(custodians, index).id,
      due_at: index % 3 === 0 ? new Date(Date.now() + 5_000).toISOString() : day(index * 2 + 3),
      note: at(["For the fair in Hanover", "Work from home", "Customer visit"], index),
    }),
  );
}

async function makeDueWork(api: Api, assets: readonly Record[]): Promise<void> {
  await all(assets.slice(24, 30), ({ id }, index) =>
    api.post("/pm-schedules", {
      ...{ asset_id: id, title: "Calibrate", interval_value: 1, interval_unit: "year" },
      ...{ basis: "fixed", lead_days: 30, anchor_on: day(index * 12 - 20) },
      template: { type: "calibration", title: "Calibrate against the reference" },
    }),
  );
  await all(assets.slice(12, 18), ({ id }, index) =>
    api.post("/pm-schedules", {
      ...{
        asset_id: id,
        title: "Safety inspection",
        interval_value: 6,
        interval_unit: "month",
        lead_days: 14,
      },
      ...{ basis: "fixed", lead_days: 14, anchor_on: day(index * 9 - 15) },
      template: { type: "inspection", title: "Inspect cable and guard" },
    }),
  );
  await all(assets.slice(0, 4), ({ id }, index) =>
    api.post("/contracts", {
      ...{ type: "warranty", asset_id: id, provider: "On-site service" },
      ...{ starts_on: day(-700), ends_on: day(10 + index * 6) },
    }),
  );
}
