import { execFile } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import { buildApp, configSchema } from "@asset-register/gateway";
import { eventually } from "@asset-register/harness";
import {
  type Answer,
  type Api,
  createApi,
  type Demo,
  readerKey,
  signBatch,
} from "@asset-register/harness/client";
import type { Platform } from "@asset-register/local";
import { checkedText, loadConfig } from "@asset-register/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { joinPlatform } from "./platform.ts";

type Credentials = { email: string; password: string };
type Session = { access_token: string; refresh_token: string; device_uuid: string };

const operator = path.join(import.meta.dirname, "../../services/identity/src/operator.ts");

describe("credentials", () => {
  let demo: Demo;
  let platform: Platform;
  let second: Awaited<ReturnType<typeof buildApp>>;

  beforeAll(async () => {
    ({ demo, platform } = await joinPlatform());
    const settings = { ...platform.gateway.env, HTTP_ADDRESS: "127.0.0.1:0", HEALTH_ADDRESS: "127.0.0.1:0" };
    second = await buildApp(loadConfig(configSchema, { ...settings, LOG_LEVEL: "silent" }));
    await second.start();
  });

  afterAll(() => second?.stop());

  const surfaceB = (gateway: string, token?: string): Api => createApi(`${gateway}/asset_manager_api`, token);

  const signIn = ({ email, password }: Credentials = demo): Promise<Session> =>
    surfaceB(demo.base_url).post<Session>("/login", { email, password, device_uuid: randomUUID() });

  test("a session that ends on one gateway ends on the other too", async () => {
    const { access_token } = await signIn();
    const gateways = [demo.base_url, second.url()];
    for (const url of gateways)
      expect((await surfaceB(url, access_token).call("GET", "/me")).status).toBe(200);
    await surfaceB(demo.base_url, access_token).post("/logout");
    for (const url of gateways) {
      expect(await surfaceB(url, access_token).call("GET", "/me")).toMatchObject({
        status: 401,
        body: { code: "UNAUTHENTICATED" },
      });
    }
  });

  test("a wrong password and an unknown account get the same 401", async () => {
    const people = surfaceB(demo.base_url);
    const wrong = await people.call("POST", "/login", { email: demo.email, password: "not this one" });
    const unknown = await people.call("POST", "/login", {
      email: "nobody@example.com",
      password: "not this one",
    });
    expect(wrong).toMatchObject({ status: 401, body: { title: "Unauthorized" } });
    expect(unknown).toMatchObject({
      status: 401,
      body: { detail: (wrong.body as { detail: string }).detail },
    });
  });

  test("a refresh after a lost answer gets the same tokens for its Idempotency-Key", async () => {
    const { refresh_token: refresh, device_uuid } = await signIn();
    const people = surfaceB(demo.base_url);
    const headers = { "idempotency-key": randomUUID() };
    const first = await people.post<Session>("/auth/refresh", { refresh, device_uuid }, headers);
    const again = await people.post<Session>("/auth/refresh", { refresh, device_uuid }, headers);
    expect(again.refresh_token).toBe(first.refresh_token);
  });

  test("two POSTs with one Idempotency-Key on two gateways have one effect", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const post = (gateway: string, name: string) =>
      createApi(`${gateway}/v1`, demo.api_key).call("POST", "/assets", { name }, headers);
    const first = await post(demo.base_url, "Once");
    const again = await post(second.url(), "Once");
    expect(first.status).toBe(201);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again).toMatchObject({ status: 201, body: first.body as object });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(await post(demo.base_url, "Another")).toMatchObject({
      status: 422,
      body: { code: "IDEMPOTENCY_KEY_REUSED" },
    });
  });

  test("the configuration of an app has the workspace, the statuses, the collections and the limits", async () => {
    const { access_token } = await signIn();
    const people = surfaceB(demo.base_url, access_token);
    const { data: statuses } = await people.get<{ data: object[] }>("/statuses");
    expect(statuses).toContainEqual(expect.objectContaining({ key: "in_stock", class: "deployable" }));
    expect(await people.get("/tenant_config")).toEqual({
      workspace: {
        id: demo.workspace_id,
        name: expect.any(String),
        plan: "enterprise",
        time_zone: expect.stringContaining("/"),
        currency: "EUR",
        fiscal_year_start: 1,
      },
      statuses,
      custom_fields: [],
      collections: [
        "properties",
        "buildings",
        "floors",
        "locations",
        "categories",
        "custodians",
        "departments",
      ],
      limits: {
        requests_per_minute: 1_000_000,
        request_burst: 1_000_000,
        max_per_page: 200,
        max_body_bytes: 1_048_576,
        max_events_per_batch: 1000,
      },
    });
  });

  test("a user without capabilities gets the configuration of an app", async () => {
    const { access_token } = await signIn();
    const email = `${randomUUID()}@example.com`;
    const { token } = await surfaceB(demo.base_url, access_token).post<{ token: string }>("/users", {
      email,
      name: "Bob",
    });
    await surfaceB(demo.base_url).post("/invitations/accept", { token, password: "correct horse battery" });
    const bob = await surfaceB(demo.base_url).post<Session>("/login", {
      email,
      password: "correct horse battery",
    });
    const people = surfaceB(demo.base_url, bob.access_token);
    expect((await people.call("GET", "/statuses")).status).toBe(403);
    expect(await people.get("/tenant_config")).toMatchObject({ workspace: { id: demo.workspace_id } });
  });

  test("a disabled workspace refuses its keys, sessions and sign-ins at once, and its readers soon", async () => {
    const { other } = demo;
    const { access_token } = await signIn(other);
    const programs = createApi(`${demo.base_url}/v1`, other.api_key);
    const people = surfaceB(demo.base_url, access_token);
    const { id, secret } = await people.post<{ id: string; secret: string }>("/readers", {
      name: "Gate",
      kind: "fixed_portal",
    });
    const read = (): Promise<Answer> => {
      const body = JSON.stringify({
        events: [{ epc: "303435FC8803D056D15B963F", ts: new Date().toISOString() }],
      });
      const signed = signBatch(readerKey(id, secret), body);
      return surfaceB(demo.base_url).call("POST", "/ingest/events", body, signed);
    };
    expect(await read()).toMatchObject({ status: 202, body: { results: [{ status: "accepted" }] } });
    expect((await programs.call("GET", "/me")).status).toBe(200);
    expect((await people.call("GET", "/me")).status).toBe(200);
    await promisify(execFile)(
      process.execPath,
      [operator, "workspace", "disable", "--workspace", other.workspace_id],
      { env: platform.services.identity?.env },
    );
    expect((await programs.call("GET", "/me")).status).toBe(401);
    expect((await people.call("GET", "/me")).status).toBe(401);
    await expect(signIn(other)).rejects.toThrow("401");
    // The readers' service learns it from the topic `workspace`.
    await eventually(async () =>
      expect(await read()).toMatchObject({ status: 401, body: { code: "READER_SIGNATURE_INVALID" } }),
    );
  });

  test("without identity cached credentials are valid for 5 s and others get 503, and all recover with it", async () => {
    const identity = platform.services.identity;
    const programs = (key: string) => createApi(`${demo.base_url}/v1`, key);
    const known = programs(demo.api_key);
    const dead = programs(checkedText("ask_live_", randomBytes(32)));
    const { access_token } = await signIn();
    const unasked = surfaceB(demo.base_url, access_token);
    expect((await known.call("GET", "/me")).status).toBe(200);
    await identity?.kill();
    try {
      for (const [api, path] of [
        [dead, "/me"],
        [unasked, "/assets"],
      ] as const) {
        const answer = await api.call("GET", path);
        expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      }
      const answers: number[] = [];
      await eventually(
        async () => {
          answers.push((await known.call("GET", "/me")).status);
          expect(answers.at(-1)).toBe(503);
        },
        { everyMs: 200 },
      );
      expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    } finally {
      await identity?.restart();
    }
    await eventually(async () => expect((await unasked.call("GET", "/assets")).status).toBe(200));
    await eventually(async () => expect((await known.call("GET", "/me")).status).toBe(200));
    expect((await dead.call("GET", "/me")).status).toBe(401);
  });
});
