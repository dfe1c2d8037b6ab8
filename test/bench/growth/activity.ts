import { randomUUID } from "node:crypto";
import { type Api, createApi, type ReaderKey, readerKey, signBatch } from "@asset-register/harness/client";
import type { BenchPlatform } from "../platform.ts";
import { retryUntilSuccess } from "../readers.ts";

type Id = { id: string };
type Tagged = { assetId: string; epc: string };

/** An asset is read by a portal, as a tag that passes through a gate or lies near it, this often a day. */
export const READS_OF_A_PASSAGE = 10;
/** What a user does in a day, each by one request. */
export const USER_DAY = { views: 20, edits: 4, moves: 3, checkouts: 1, workOrders: 1 };

const BULK = 500;
const EVENTS_IN_BATCH = 500;
/** Reads are live for 10 minutes. Each passage has its own part of that time. */
const PASSAGE_MS = 60_000;
const IN_FLIGHT = 8;

export type World = { locations: string[]; custodians: string[]; categories: string[]; portals: ReaderKey[] };

/** Places, people and two portals, which do not grow with the assets. */
export async function makeWorld({ userApi, keyApi }: BenchPlatform): Promise<World> {
  const make = async (count: number, collection: string, fields: object = {}): Promise<string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const body = { name: `Growth ${collection} ${index}`, ...fields };
      ids.push((await retryUntilSuccess(() => userApi.post<Id>(`/${collection}`, body))).id);
    }
    return ids;
  };
  const [property_id] = await make(1, "properties");
  const locations = await make(20, "locations", { property_id });
  const portals: ReaderKey[] = [];
  for (const location of locations.slice(0, 2)) {
    const zone = await userApi.post<Id>("/zones", { name: `Zone ${location}`, location_ids: [location] });
    const fields = { name: `Portal ${location}`, kind: "fixed_portal", zone_id: zone.id };
    const { id, secret } = await userApi.post<Id & { secret: string }>("/readers", fields);
    portals.push(readerKey(id, secret));
  }
  // Who has asked for the feed once has one.
  await keyApi.get("/events");
  return {
    locations,
    portals,
    custodians: await make(20, "custodians"),
    categories: await make(5, "categories"),
  };
}

/** Assets with the fields that most have, and an RFID tag each. */
export async function makeAssets(
  { userApi }: BenchPlatform,
  world: World,
  count: number,
  from = 0,
): Promise<Tagged[]> {
  const made: Tagged[] = [];
  while (made.length < count) {
    const first = from + made.length;
    const assets = Array.from({ length: Math.min(BULK, count - made.length) }, (_, index) => {
      const number = first + index;
      return {
        name: `ThinkPad X1 Carbon ${number}`,
        description: "Bought for the second line, with the docking station",
        category_id: at(world.categories, number),
        location_id: at(world.locations, number),
        custodian_id: at(world.custodians, number),
        serial_number: `PF-${100_000 + number}`,
        manufacturer: "Lenovo",
        model: "X1 Carbon Gen 12",
        cost: 1_849,
        in_service_date: "2026-01-15",
        useful_life_months: 36,
        depreciation_method: "straight_line",
      };
    });
    const { results } = await retryUntilSuccess(() =>
      userApi.post<{ results: Id[] }>("/assets/bulk", { assets }),
    );
    const tags = results.map(({ id }, index) => ({ assetId: id, epc: epcOf(first + index) }));
    await inFlight(tags, ({ assetId, epc }) =>
      retryUntilSuccess(() => userApi.post("/tags/commission", { asset_id: assetId, type: "rfid", epc })),
    );
    made.push(...tags);
  }
  return made;
}

/** Each tag passes a portal, the other one at each passage. Returns the number of reads. */
export async function passPortals(
  { demo }: BenchPlatform,
  { portals }: World,
  tags: readonly Tagged[],
  { from, passages }: { from: number; passages: number },
): Promise<number> {
  const api = createApi(`${demo.base_url}/asset_manager_api`);
  let sent = 0;
  for (let passage = from; passage < from + passages; passage += 1) {
    const begin = Date.now() - PASSAGE_MS;
    const portal = portals[passage % portals.length];
    if (portal === undefined) throw new Error("no portal");
    // As a portal reports: all tags in its field, second by second.
    for (let first = 0; first < tags.length; first += EVENTS_IN_BATCH / READS_OF_A_PASSAGE) {
      const some = tags.slice(first, first + EVENTS_IN_BATCH / READS_OF_A_PASSAGE);
      const events = Array.from({ length: READS_OF_A_PASSAGE }, (_, second) =>
        some.map(({ epc }, index) => ({
          epc,
          ts: new Date(begin + second * 1_000 + index).toISOString(),
          antenna: 1,
          rssi: -50 - (index % 20),
        })),
      ).flat();
      const body = JSON.stringify({ events });
      await retryUntilSuccess(() => api.post("/ingest/events", body, { ...signBatch(portal, body) }));
      sent += events.length;
    }
  }
  return sent;
}

/** Days of users, each with a device of its own. */
export async function workAsUsers(
  { demo }: BenchPlatform,
  world: World,
  assets: readonly Tagged[],
  days: number,
): Promise<void> {
  const numbers = Array.from({ length: days }, (_, index) => index + 1);
  await inFlight(numbers, (day) => workForADay(demo, world, assets, day));
}

/** Works on some items at a time. */
async function inFlight<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  const some = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, some));
}

async function workForADay(
  demo: BenchPlatform["demo"],
  world: World,
  assets: readonly Tagged[],
  day: number,
): Promise<void> {
  const base = `${demo.base_url}/asset_manager_api`;
  const { email, password } = demo;
  const login = { email, password, device_uuid: randomUUID(), label: "Scanner", platform: "android" };
  const address = { "x-forwarded-for": `10.${day % 256}.${Math.floor(day / 256)}.1` };
  const signIn = () => createApi(base).post<{ access_token: string }>("/login", login, address);
  const api = createApi(base, (await retryUntilSuccess(signIn)).access_token);
  const assetOf = (index: number) => at(assets, day * 31 + index).assetId;
  for (let view = 0; view < USER_DAY.views; view += 1) await api.get(`/assets/${assetOf(view)}`);
  for (let edit = 0; edit < USER_DAY.edits; edit += 1) {
    await send(api, "PATCH", `/assets/${assetOf(edit)}`, {
      description: `Checked on day ${day}, edit ${edit}`,
    });
  }
  for (let move = 0; move < USER_DAY.moves; move += 1) {
    const to_location_id = at(world.locations, day + move + 7);
    await send(api, "POST", "/movements", { asset_id: assetOf(move), to_location_id, note: "Moved" });
  }
  const issued = { issued_to_type: "custodian", issued_to_id: at(world.custodians, day) };
  const checkout = await send(api, "POST", `/assets/${assetOf(9)}/checkouts`, issued);
  await send(api, "POST", `/checkouts/${checkout.id}/return`, { condition_in: "good" });
  const order = await send(api, "POST", "/work-orders", {
    asset_id: assetOf(11),
    title: "Replace the battery",
  });
  for (const status of ["in_progress", "completed"]) {
    await send(api, "POST", `/work-orders/${order.id}/status`, { status });
  }
}

/** As an app sends it: with a key, so that it can be repeated. */
async function send(api: Api, method: string, path: string, body: object): Promise<Id> {
  const headers = { "idempotency-key": randomUUID() };
  return retryUntilSuccess(async () => {
    const answer = await api.call(method, path, body, headers);
    if (answer.status >= 300)
      throw new Error(`${method} ${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as Id;
  }, 10);
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("the list is empty");
  return item;
}

const epcOf = (number: number): string => `34740000${number.toString(16).padStart(16, "0")}`.toUpperCase();
