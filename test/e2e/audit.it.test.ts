import { eventually } from "@asset-register/harness";
import { type Api, createApi, type Demo } from "@asset-register/harness/client";
import type { Platform } from "@asset-register/local";
import { ZoneService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { createRpcClient, createServiceIdentity, type Principal } from "@asset-register/rpc";
import { createLogger, createMetrics } from "@asset-register/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestPlatform } from "./platform.ts";

type Id = { id: string };
type Entry = { action: string; subject_id: string; actor: { kind: string; id: string }; request_id: string };

let demo: Demo;
let platform: Platform;
let stopPlatform: () => Promise<void>;
let people: Api;
let strangers: Api;
let programs: Api;

beforeAll(async () => {
  ({ demo, platform, stop: stopPlatform } = await startTestPlatform());
  programs = createApi(`${demo.base_url}/v1`, demo.api_key);
  people = await signIn(demo);
  strangers = await signIn(demo.other);
});
afterAll(() => stopPlatform?.());

async function signIn({ email, password }: { email: string; password: string }): Promise<Api> {
  const surfaceB = `${demo.base_url}/asset_manager_api`;
  const { access_token } = await createApi(surfaceB).post<{ access_token: string }>("/login", {
    email,
    password,
  });
  return createApi(surfaceB, access_token);
}

async function actsOn(...ids: string[]): Promise<Entry[]> {
  const { data } = await people.get<{ data: Entry[] }>("/audit-log?per_page=200");
  return data.filter(({ subject_id }) => ids.includes(subject_id));
}

test("what is done in other services is in the audit log, once, for the admin of that workspace alone", async () => {
  const keyed = { "idempotency-key": "audit-property" };
  const property = await people.post<Id>("/properties", { name: "Head office" }, keyed);
  await people.post("/properties", { name: "Head office" }, keyed);
  const location = await people.post<Id>("/locations", { name: "Gate", property_id: property.id });
  const zone = await people.post<Id>("/zones", { name: "Gate zone" });
  await people.call("PUT", `/zones/${zone.id}/locations`, { location_ids: [location.id] });
  const reader = await people.post<Id>("/readers", { name: "Gate portal", kind: "fixed_portal" });
  await people.post(`/readers/${reader.id}/rotate-secret`);
  await people.post(`/readers/${reader.id}/revoke`);
  const { data: webhook } = await programs.post<{ data: Id }>("/webhooks", {
    url: "http://127.0.0.1:9/",
    events: ["*"],
  });
  const rule = await people.post<Id>("/alert-rules", {
    ...{ name: "Strange tags", scope_type: "all", channel: "inapp" },
    condition: { type: "unknown_tag" },
  });

  const ids = [property.id, location.id, zone.id, reader.id, webhook.id, rule.id];
  // They come from several services, over several partitions: the last one may be there before others.
  const found = await eventually(async () => {
    const all = await actsOn(...ids);
    expect(all.map(({ action, subject_id }) => `${action} ${ids.indexOf(subject_id)}`).sort()).toEqual([
      "alert_rule.created 5",
      "location.created 1",
      "property.created 0",
      "reader.created 3",
      "reader.revoked 3",
      "reader.secret_rotated 3",
      "webhook.created 4",
      "zone.created 2",
      "zone.locations_changed 2",
    ]);
    return all;
  });
  const { user } = await people.get<{ user: Id }>("/me");
  for (const { action, actor, request_id } of found) {
    expect(request_id).not.toBe("");
    if (action === "webhook.created") expect(actor.kind).toBe("api_key");
    else expect(actor).toEqual({ kind: "user", id: user.id });
  }
  const { data } = await strangers.get<{ data: Entry[] }>("/audit-log?per_page=200");
  expect(data.filter(({ subject_id }) => ids.includes(subject_id))).toEqual([]);
});

test("an act that is done while identity is away is in the log when it is back", async () => {
  const { user } = await people.get<{ user: Id }>("/me");
  const { identity, "tagging-ingest": tagging } = platform.services;
  // As the gateway would for a credential that it still knows.
  const { SERVICE_PRIVATE_KEY = "", TRUSTED_KEYS = "{}" } = platform.gateway.env;
  const zones = createRpcClient(ZoneService, {
    address: tagging?.grpcAddress ?? "",
    identity: createServiceIdentity({
      ...{ name: "gateway", privateKeyPem: SERVICE_PRIVATE_KEY },
      trustedKeys: JSON.parse(TRUSTED_KEYS),
    }),
    metrics: createMetrics({ service: "test" }),
    logger: createLogger({ service: "test", level: "error" }),
  });
  const principal: Principal = {
    ...{ kind: "user", workspaceId: demo.workspace_id, id: user.id, capabilities: ["devices"] },
    ...{ sessionId: "ses_1", deviceUuid: "" },
  };
  await identity?.kill();
  const { zone } = await zones.createZone({ name: "Yard" }, { principal });
  zones.close();
  await identity?.restart();
  // A killed identity's place in the group is free after 30 s.
  await eventually(async () =>
    expect(await actsOn(zone?.id ?? "")).toMatchObject([{ action: "zone.created" }]),
  );
});
