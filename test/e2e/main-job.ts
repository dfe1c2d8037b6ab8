import { createHmac } from "node:crypto";
import { eventually } from "@asset-register/harness";
import { createApi, createUserApi, readerKey, signBatch, signEvent } from "@asset-register/harness/client";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, test } from "vitest";
import { joinPlatform } from "./platform.ts";
import { type Received, startReceiver } from "./receiver.ts";

type Id = { id: string };
type Secret = Id & { secret: string };
type Enveloped<T> = { data: T };
type Listed<T> = { data: T[]; total: number };
type Asset = Id & {
  custodian_id: string | null;
  location_id: string | null;
  last_seen: { reader_id: string; zone_id: string; location_id: string } | null;
  current_checkout: { status: string } | null;
};

const RFID = "303435FC8803D056D15B963F";
const SECOND_RFID = "303435FC8803D056D15B9640";

const receiver = await startReceiver();
const { demo } = await joinPlatform();
const keyApi = createApi(`${demo.base_url}/v1`, demo.api_key);
const userApi = createUserApi(demo.base_url, demo);

afterAll(() => receiver.stop());

/** Verifies both signatures of a delivery with the secret that the API returned when the webhook was created. */
function verify({ headers, raw }: Received, secret: string): void {
  const hmac = createHmac("sha256", secret).update(raw).digest("hex");
  expect(headers["x-service-signature"]).toBe(`sha256=${hmac}`);
  new Webhook(secret).verify(raw, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"]),
  });
}

const delivered = (type: string): Promise<Received> =>
  eventually(() => {
    const found = receiver.received.find(({ body }) => body.type === type);
    if (found === undefined)
      throw new Error(`no delivery of ${type} among ${receiver.received.map((r) => r.body.type)}`);
    return found;
  });

/** Creates what a read needs: places, a custodian, a tagged asset, a zone and a reader. */
async function createOrganisation() {
  const property = await userApi.post<Id>("/properties", { name: "Head office", code: "HQ" });
  const building = await userApi.post<Id>("/buildings", { name: "North", property_id: property.id });
  const floor = await userApi.post<Id>("/floors", { name: "Ground", level: 0, building_id: building.id });
  const gate = await userApi.post<Id>("/locations", { name: "Gate", floor_id: floor.id });
  const store = await userApi.post<Id>("/locations", { name: "Store", floor_id: floor.id });
  const category = await userApi.post<Id>("/categories", { name: "Laptops" });
  const custodian = await userApi.post<Id>("/custodians", { name: "Ada Byron", email: "ada@example.com" });
  const asset = await userApi.post<Asset & { building_id: string }>("/assets", {
    name: "ThinkPad X1",
    category_id: category.id,
    location_id: store.id,
    cost: "1249.90",
  });
  expect(asset.building_id).toBe(building.id);
  const zone = await userApi.post<Id>("/zones", { name: "Gate zone", location_ids: [gate.id] });
  const reader = await userApi.post<Secret>("/readers", {
    name: "Gate portal",
    kind: "fixed_portal",
    zone_id: zone.id,
    location_id: gate.id,
  });
  const tag = await userApi.post<Id>("/tags/commission", { epc: RFID, asset_id: asset.id, type: "rfid" });
  await eventually(async () => {
    const tags = [{ id: tag.id, type: "rfid", epc: RFID, code: null }];
    expect(await userApi.get(`/assets/${asset.id}`)).toMatchObject({ tags });
    expect(await keyApi.get(`/assets/${asset.id}`)).toMatchObject({ data: { tags } });
    expect(await userApi.get(`/assets?q=${RFID.slice(0, 10)}`)).toMatchObject({
      data: [{ id: asset.id, tags }],
    });
  });
  return { gate, store, category, custodian, asset, zone, reader };
}

test("a signed read updates last_seen, raises an alert and is delivered to a webhook; a movement is delivered too", async () => {
  const { gate, custodian, asset, zone, reader } = await createOrganisation();
  const { data: webhook } = await keyApi.post<Enveloped<Secret>>("/webhooks", {
    url: receiver.url,
    events: ["*"],
  });
  const rule = await userApi.post<Id>("/alert-rules", {
    name: "Seen at the gate",
    scope_type: "asset",
    scope_id: asset.id,
    condition: { type: "seen_in_zone", zone_id: zone.id },
    channel: "inapp",
  });

  const key = readerKey(reader.id, reader.secret);
  const single = await keyApi.call(
    "POST",
    "/reader-events",
    signEvent(key, { epc: RFID, ts: new Date().toISOString() }),
  );
  expect(single).toMatchObject({ status: 202, body: { data: { status: "accepted" } } });

  const batch = JSON.stringify({
    events: [
      { epc: RFID, ts: new Date().toISOString(), antenna: 1, rssi: -51.5 },
      { epc: SECOND_RFID, ts: new Date().toISOString(), antenna: 2 },
    ],
  });
  const devices = createApi(`${demo.base_url}/asset_manager_api`);
  const posted = await devices.call("POST", "/ingest/events", batch, signBatch(key, batch));
  expect(posted).toMatchObject({
    status: 202,
    body: {
      results: [
        { index: 0, status: "accepted" },
        { index: 1, status: "accepted" },
      ],
    },
  });

  await eventually(async () => {
    const { last_seen } = await userApi.get<Asset>(`/assets/${asset.id}`);
    expect(last_seen).toMatchObject({ reader_id: reader.id, zone_id: zone.id, location_id: gate.id });
  });
  await eventually(async () => {
    const { data } =
      await userApi.get<Listed<{ rule_id: string; status: string; asset_id: string }>>("/alerts");
    expect(data).toMatchObject([{ rule_id: rule.id, status: "open", asset_id: asset.id }]);
  });
  verify(await delivered("alert.raised"), webhook.secret);

  const moved = await userApi.call("POST", "/movements", {
    asset_id: asset.id,
    to_location_id: gate.id,
    to_custodian_id: custodian.id,
    reason: "handover",
  });
  expect(moved).toMatchObject({ status: 201, body: { changed: true, to_location_id: gate.id } });
  const movement = await delivered("asset.moved");
  verify(movement, webhook.secret);
  expect(movement.body.data).toMatchObject({ asset_id: asset.id });
  expect(await userApi.get<Asset>(`/assets/${asset.id}`)).toMatchObject({
    location_id: gate.id,
    custodian_id: custodian.id,
  });
});

test("an API key can read /v1/me, create, list and check out assets", async () => {
  const me = await keyApi.get<Enveloped<{ workspace: Id; key: { scopes: string[] } }>>("/me");
  expect(me.data.workspace.id).toBe(demo.workspace_id);
  expect(me.data.key.scopes).toContain("assets:write");

  const custodian = await userApi.post<Id>("/custodians", { name: "Grace Hopper" });
  const { data: asset } = await keyApi.post<Enveloped<Asset & { cost: number }>>("/assets", {
    name: "Oscilloscope",
    cost: 899.5,
  });
  expect(asset.cost).toBe(899.5);
  const list = await keyApi.get<Enveloped<Id[]> & { meta: { total: number } }>("/assets?limit=100");
  expect(list.data.map(({ id }) => id)).toContain(asset.id);
  expect(list.meta.total).toBe(list.data.length);

  const first = await keyApi.call("POST", `/assets/${asset.id}/checkout`, {
    assignee_id: custodian.id,
    due_date: "2099-12-31",
  });
  expect(first).toMatchObject({
    status: 201,
    body: { data: { status: "open", issued_to_id: custodian.id } },
  });
  const second = await keyApi.call("POST", `/assets/${asset.id}/checkout`, { assignee_id: custodian.id });
  expect(second).toMatchObject({ status: 409, body: { success: false, code: "ASSET_CHECKED_OUT" } });
  const { data: read } = await keyApi.get<Enveloped<Asset>>(`/assets/${asset.id}`);
  expect(read.current_checkout).toMatchObject({ status: "open" });
});

test("workspaces are isolated: an asset of another workspace gets 404", async () => {
  const { data: asset } = await keyApi.post<Enveloped<Asset>>("/assets", { name: "Ours" });
  const otherKeyApi = createApi(`${demo.base_url}/v1`, demo.other.api_key);
  const response = await otherKeyApi.call("GET", `/assets/${asset.id}`);
  expect(response).toMatchObject({ status: 404, body: { success: false, code: "NOT_FOUND" } });
});
