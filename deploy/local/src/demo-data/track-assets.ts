import { setTimeout } from "node:timers/promises";
import { type Api, postReads, type Read, type Record } from "./demo-api.ts";
import { all } from "./lists.ts";

/** On a machine that is slower than this, no alert is handled yet. */
const ALERTS_WAIT_MS = 20_000;
const LOOK_EVERY_MS = 500;
const DAYS = 86_400;

type Reader = Record & { secret: string };
type Place = { zoneId: string; reader: Reader };
type Tagged = { epc: string };

/**
 * Makes zones with readers, tags on assets, and alert rules, and posts signed reads: some assets are then in each zone,
 * and some reads raise alerts, of which some are handled.
 * @param rooms in the order of content.ts
 */
export async function trackAssets(
  api: Api,
  base: string,
  assets: readonly Record[],
  rooms: readonly Record[],
): Promise<void> {
  const lostOnes = assets.slice(35, 36);
  // First, so that the alert rules know it when the asset is read.
  const lost = await loseAssets(api, lostOnes);
  const makePlace = async (name: string, portal: string, room: number): Promise<Place> => {
    const location_id = rooms[room]?.id;
    const { id: zone_id } = await api.post("/zones", { name, location_ids: [location_id] });
    const fields = { name: portal, kind: "fixed_portal", zone_id, location_id };
    return { zoneId: zone_id, reader: await api.post<Reader>("/readers", fields) };
  };
  const entrance = await makePlace("Entrance", "Portal at the entrance", 0);
  const workshop = await makePlace("Workshop", "Portal of the workshop", 1);
  const warehouse = await makePlace("Warehouse", "Portal of the warehouse", 2);
  const serverRoom = await makePlace("Server room", "Antenna of the server room", 5);
  const handheld = await api.post<Reader>("/readers", {
    ...{ name: "Handheld of the stock-takers", kind: "handheld_sled", zone_id: warehouse.zoneId },
  });

  let tags = 0;
  const tagged = (some: readonly Record[]): Promise<Tagged[]> =>
    all(some, async ({ id }) => {
      const epc = epcOf(tags++);
      await api.post("/tags/commission", { asset_id: id, type: "rfid", epc });
      return { epc };
    });
  const [takenOut, inWorkshop, inWarehouse] = [
    await tagged(assets.slice(16, 18)),
    await tagged(assets.slice(18, 21)),
    await tagged([...assets.slice(21, 24), ...lostOnes]),
  ];
  const [removed, inServerRoom] = [await tagged(assets.slice(48, 49)), await tagged(assets.slice(49, 56))];
  const missing = await tagged(assets.slice(30, 31));
  const unknown = [{ epc: epcOf(tags++) }, { epc: epcOf(tags++) }];

  const handled = await makeRules(api, entrance, serverRoom, lost);
  const post = ({ reader }: Place, ...reads: Read[][]) => postReads(base, reader, reads.flat());
  await post(workshop, twice(takenOut, 90), twice(inWorkshop, 90));
  await post(serverRoom, twice(removed, 90), twice(inServerRoom, 90));
  await post(warehouse, twice(missing, 3 * DAYS), twice(inWarehouse, 60));
  await postReads(base, handheld, twice(inWarehouse.slice(0, 1), 40));
  await post(workshop, twice(removed, 30));
  await post(entrance, twice(takenOut, 20), twice(unknown, 10));
  await handleAlerts(api, handled);
}

/** Returns the id of the status. */
async function loseAssets(api: Api, assets: readonly Record[]): Promise<string | undefined> {
  const { data } = await api.get<{ data: (Record & { key: string })[] }>("/statuses");
  const status_id = data.find(({ key }) => key === "lost")?.id;
  await all(assets, ({ id }) => api.post(`/assets/${id}/status`, { status_id }));
  return status_id;
}

/** The actions of a person on the first alerts of a rule. */
type Handled = { ruleId: string; alerts: number; actions: ("ack" | "resolve")[] };

/** A rule of each type. Returns those whose alerts come at once. */
async function makeRules(
  api: Api,
  entrance: Place,
  serverRoom: Place,
  lost: string | undefined,
): Promise<Handled[]> {
  const make = async (name: string, condition: object, enabled = true): Promise<string> =>
    (await api.post("/alert-rules", { name, scope_type: "all", channel: "inapp", condition, enabled })).id;
  const workdays = ["mon", "tue", "wed", "thu", "fri"];
  const hours = { open_days: workdays, open_from: "06:00", open_to: "20:00" };
  await make("Seen at night", { type: "after_hours", ...hours }, false);
  await make("Asset not seen for two days", { type: "not_seen_for", hours: 48 });
  await make("Portal is silent", { type: "reader_offline", minutes: 60 });
  const exit = { type: "exit_portal_unauthorised", zone_id: entrance.zoneId };
  const left = { type: "left_zone", zone_id: serverRoom.zoneId };
  const found = { type: "status_mismatch", status_ids: [lost] };
  return [
    { ruleId: await make("Leaves without a check-out", exit), alerts: 2, actions: ["resolve"] },
    { ruleId: await make("Unknown tag", { type: "unknown_tag" }), alerts: 2, actions: ["ack"] },
    { ruleId: await make("Leaves the server room", left), alerts: 1, actions: [] },
    { ruleId: await make("A lost asset is found", found), alerts: 1, actions: ["ack"] },
  ];
}

/** A tag is in a zone after two reads in different seconds. */
const twice = (tags: readonly Tagged[], secondsAgo: number): Read[] =>
  tags.flatMap(({ epc }) => [secondsAgo + 1, secondsAgo].map((ago) => ({ epc, secondsAgo: ago })));

/** A number of GS1 (SGTIN-96). */
const epcOf = (index: number): string => `303435FC8803D056D15B${(0x9000 + index).toString(16).toUpperCase()}`;

async function handleAlerts(api: Api, handled: readonly Handled[]): Promise<void> {
  const endsAt = Date.now() + ALERTS_WAIT_MS;
  for (const { ruleId, alerts, actions } of handled) {
    const read = () => api.get<{ data: Record[] }>(`/alerts?rule_id=${ruleId}`);
    let { data } = await read();
    while (data.length < alerts && Date.now() < endsAt) {
      await setTimeout(LOOK_EVERY_MS);
      ({ data } = await read());
    }
    for (const [index, action] of actions.entries()) {
      const alert = data[index];
      if (alert !== undefined) await api.post(`/alerts/${alert.id}/${action}`, {});
    }
  }
}
