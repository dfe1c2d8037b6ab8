import { eventually } from "@asset-register/harness";
import { type Api, createApi, createUserApi, type Demo } from "@asset-register/harness/client";
import type { Platform } from "@asset-register/local";
import { ZoneService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { createRpcClient, createServiceIdentity, type Principal } from "@asset-register/rpc";
import { createLogger, createMetrics } from "@asset-register/runtime";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { joinPlatform } from "./platform.ts";

type Id = { id: string };
type Entry = {
  action: string;
  subject_id: string;
  actor: { kind: string; id: string };
  request_id: string;
  client_address: string | null;
};

describe("the audit log", () => {
  let demo: Demo;
  let platform: Platform;
  let userApi: Api;
  let otherUserApi: Api;
  let keyApi: Api;

  beforeAll(async () => {
    ({ demo, platform } = await joinPlatform());
    keyApi = createApi(`${demo.base_url}/v1`, demo.api_key);
    userApi = createUserApi(demo.base_url, demo);
    otherUserApi = createUserApi(demo.base_url, demo.other);
  });

  async function auditEntriesOf(...ids: string[]): Promise<Entry[]> {
    const { data } = await userApi.get<{ data: Entry[] }>("/audit-log?per_page=200");
    return data.filter(({ subject_id }) => ids.includes(subject_id));
  }

  test("administrative changes in all services are in the audit log once, and another workspace does not see them", async () => {
    const keyed = { "idempotency-key": "audit-property" };
    const property = await userApi.post<Id>("/properties", { name: "Head office" }, keyed);
    await userApi.post("/properties", { name: "Head office" }, keyed);
    const location = await userApi.post<Id>("/locations", { name: "Gate", property_id: property.id });
    const zone = await userApi.post<Id>("/zones", { name: "Gate zone" });
    await userApi.call("PUT", `/zones/${zone.id}/locations`, { location_ids: [location.id] });
    const reader = await userApi.post<Id>("/readers", { name: "Gate portal", kind: "fixed_portal" });
    await userApi.post(`/readers/${reader.id}/rotate-secret`);
    await userApi.post(`/readers/${reader.id}/revoke`);
    const { data: webhook } = await keyApi.post<{ data: Id }>("/webhooks", {
      url: "http://127.0.0.1:9/",
      events: ["*"],
    });
    const own = await userApi.post<Id>("/webhooks", { url: "http://127.0.0.1:9/", events: ["*"] });
    const rule = await userApi.post<Id>("/alert-rules", {
      ...{ name: "Unknown tags", scope_type: "all", channel: "inapp" },
      condition: { type: "unknown_tag" },
    });

    const ids = [property.id, location.id, zone.id, reader.id, webhook.id, rule.id, own.id];
    // The entries come from several services and partitions, so they arrive in any order.
    const found = await eventually(async () => {
      const all = await auditEntriesOf(...ids);
      expect(all.map(({ action, subject_id }) => `${action} ${ids.indexOf(subject_id)}`).sort()).toEqual([
        "alert_rule.created 5",
        "location.created 1",
        "property.created 0",
        "reader.created 3",
        "reader.revoked 3",
        "reader.secret_rotated 3",
        "webhook.created 4",
        "webhook.created 6",
        "zone.created 2",
        "zone.locations_changed 2",
      ]);
      return all;
    });
    const { user } = await userApi.get<{ user: Id }>("/me");
    for (const { subject_id, actor, request_id, client_address } of found) {
      expect(request_id).toMatch(/^[\da-f-]{36}$/);
      expect(client_address).toBe("127.0.0.1");
      if (subject_id === webhook.id) expect(actor.kind).toBe("api_key");
      else expect(actor).toEqual({ kind: "user", id: user.id });
    }
    const { data } = await otherUserApi.get<{ data: Entry[] }>("/audit-log?per_page=200");
    expect(data.filter(({ subject_id }) => ids.includes(subject_id))).toEqual([]);
  });

  test("each export is in the audit log, with its request and the address of the client", async () => {
    const document = await fetch(`${demo.base_url}/openapi/surface-b.json`);
    const { paths } = (await document.json()) as { paths: Record<string, object> };
    const routes = Object.keys(paths).filter((path) => /\/exports?\//.test(path));
    expect(routes.length).toBeGreaterThan(1);
    const property = await userApi.post<Id>("/properties", { name: "Exported" });
    const scope = { scope_type: "property", scope_id: property.id };
    const session = await userApi.post<Id>("/stocktake/sessions", { name: "Exported", ...scope });
    const queries: Record<string, string> = { "/export/variance.csv": `?session_id=${session.id}` };
    const { email, password } = demo;
    const surfaceB = `${demo.base_url}/asset_manager_api`;
    const signIn = { email, password };
    const { access_token } = await createApi(surfaceB).post<{ access_token: string }>("/login", signIn);
    for (const route of routes) {
      const path = route.replace(/^\/asset_manager_api/, "");
      const answer = await fetch(`${surfaceB}${path}${queries[path] ?? ""}`, {
        headers: { authorization: `Bearer ${access_token}` },
      });
      await answer.text();
      expect([path, answer.status]).toEqual([path, 200]);
      const request = answer.headers.get("x-request-id");
      await eventually(async () => {
        const { data } = await userApi.get<{ data: Entry[] }>("/audit-log?per_page=200");
        expect(data.filter(({ request_id }) => request_id === request)).toMatchObject([
          { action: expect.stringMatching(/exported$/), client_address: "127.0.0.1" },
        ]);
      });
    }
  });

  test("a change made while identity is down is in the audit log after identity restarts", async () => {
    const { user } = await userApi.get<{ user: Id }>("/me");
    const { identity, "tagging-ingest": tagging } = platform.services;
    // Calls the service directly, as the gateway does for a credential that it has cached.
    const { SERVICE_PRIVATE_KEY = "", TRUSTED_KEYS = "{}" } = platform.gateway.env;
    const zones = createRpcClient(ZoneService, {
      address: tagging?.grpcAddress ?? "",
      identity: createServiceIdentity({
        ...{ name: "gateway", privateKeyPem: SERVICE_PRIVATE_KEY },
        trustedKeys: JSON.parse(TRUSTED_KEYS),
      }),
      metrics: createMetrics({ service: "test" }),
      logger: createLogger({ service: "test", level: "error" }),
      deadlineMs: 60_000,
    });
    onTestFinished(() => zones.close());
    const principal: Principal = {
      ...{ kind: "user", workspaceId: demo.workspace_id, id: user.id, capabilities: ["devices"] },
      ...{ sessionId: "ses_1", deviceUuid: "" },
    };
    await identity?.kill();
    const { zone } = await zones
      .createZone({ name: "Yard" }, { principal })
      .finally(() => identity?.restart());
    // Kafka removes a killed consumer from its group after 30 s.
    await eventually(async () =>
      expect(await auditEntriesOf(zone?.id ?? "")).toMatchObject([{ action: "zone.created" }]),
    );
  });
});
