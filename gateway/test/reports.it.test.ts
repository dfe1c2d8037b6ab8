import { once } from "node:events";
import { connect } from "node:net";
import { Writable } from "node:stream";
import { eventually } from "@asset-register/harness";
import {
  type ExportRegisterRequest,
  ReportGrouping,
  ReportService,
} from "@asset-register/proto/assetregister/register/v1/report_pb";
import type { Call } from "@asset-register/rpc";
import { createLogger, unavailable } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const EXPORT = "/asset_manager_api/export/register.csv";
const PART = { content: Buffer.alloc(65_536, "x") };

/** The parts that the fake service sends. */
let parts: (request: ExportRegisterRequest, call: Call) => AsyncIterable<{ content: Uint8Array }>;
const deadlines: number[] = [];

const logged: { level: string; message: string; code?: string }[] = [];
const destination = new Writable({
  write(line, _encoding, done) {
    logged.push(JSON.parse(String(line)));
    done();
  },
});

const gateway = await startGateway({
  logger: createLogger({ service: "gateway", level: "info", destination }),
  implementations: [
    serving(ReportService, {
      exportRegister: (request, call) => parts(request, call),
      getRegisterReport: (_request, { deadline }) => {
        deadlines.push(deadline.getTime() - Date.now());
        const money = { minorUnits: 12_345n, currency: "EUR" };
        const figures = { count: 2, cost: money, nbv: money };
        return { report: { ...figures, accumulated: money, withoutCost: 1, disposed: { count: 3 } } };
      },
      listReportRows: ({ grouping, rollup, locationId }) => ({
        rows: [{ count: grouping, name: `${rollup} ${locationId}`, ...zero }],
        page: { page: 1, limit: 50, total: 1 },
      }),
    }),
  ],
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  parts = async function* () {
    yield { content: Buffer.from('"id"\r\n') };
    yield { content: Buffer.from('"ast_1"\r\n') };
  };
});

const zero = { cost: { minorUnits: 0n, currency: "EUR" }, nbv: { minorUnits: 0n, currency: "EUR" } };
const user = () => gateway.surfaceB(gateway.accounts.session("view"));
const bearer = () => ({ authorization: `Bearer ${gateway.accounts.session("view")}` });
const download = (init: RequestInit = {}, query = "") =>
  fetch(`${gateway.url}${EXPORT}${query}`, { headers: bearer(), ...init });

describe("GET /reports", () => {
  test("figures are in major units, and the deadline is that of reports", async () => {
    expect(await user().get("/reports/register")).toEqual({
      ...{ count: 2, cost: 123.45, nbv: 123.45, accumulated: 123.45, by_status: [], by_class: [] },
      ...{ without_cost: 1, disposed: { count: 3 } },
    });
    expect(Math.min(...deadlines)).toBeGreaterThan(10_000);
  });

  test("each report has its grouping; rollup is only for locations and categories", async () => {
    const rows = async (path: string) => (await user().get<{ data: object[] }>(path)).data;
    expect(await rows("/reports/by-location?rollup=true&location_id=loc_1")).toEqual([
      { id: null, name: "true loc_1", count: ReportGrouping.LOCATION, cost: 0, nbv: 0 },
    ]);
    expect(await rows("/reports/by-custodian")).toMatchObject([{ count: ReportGrouping.CUSTODIAN }]);
    expect(await rows("/reports/by-category?rollup=true")).toMatchObject([
      { count: ReportGrouping.CATEGORY },
    ]);
    expect(await user().call("GET", "/reports/by-custodian?rollup=true")).toMatchObject({
      ...{ status: 422, body: { errors: [{ field: "rollup" }] } },
    });
  });
});

describe("GET /export/register.csv", () => {
  test("is a file in CSV with the filters of assets", async () => {
    const asked: unknown[] = [];
    const whole = parts;
    parts = (request, call) => {
      asked.push(request);
      return whole(request, call);
    };
    const response = await download({}, "?location_id=loc_1&q=drill");
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="register.csv"');
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).toBe('"id"\r\n"ast_1"\r\n');
    expect(asked).toMatchObject([{ locationId: "loc_1", q: "drill" }]);
    const head = await download({ method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(asked.length).toBe(1);
  });

  test("an error before the first part is an answer like any other", async () => {
    parts = () => {
      throw unavailable();
    };
    const response = await download();
    expect(response.status).toBe(503);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
    expect(response.headers.get("content-disposition")).toBeNull();
    expect(await response.json()).toMatchObject({ code: "UNAVAILABLE" });
  });

  test("an error in the middle is logged and resets the connection, also for a client of HTTP/1.0", async () => {
    parts = async function* () {
      yield PART;
      yield PART;
      throw unavailable();
    };
    logged.length = 0;
    const response = await download();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(logged.filter(({ level }) => level === "error")).toMatchObject([
      { message: "download broken off", code: "UNAVAILABLE" },
    ]);

    const socket = connect({ host: "127.0.0.1", port: Number(new URL(gateway.url).port) });
    const { authorization } = bearer();
    socket.write(`GET ${EXPORT} HTTP/1.0\r\nAuthorization: ${authorization}\r\n\r\n`);
    socket.resume();
    const [error] = await once(socket, "error");
    expect(error).toMatchObject({ code: "ECONNRESET" });
  });

  test("a client that disconnects ends the call, which is no error; one that does not read stops it", async () => {
    logged.length = 0;
    let sent = 0;
    let ended = false;
    parts = async function* (_request, { signal }) {
      signal.addEventListener("abort", () => {
        ended = true;
      });
      for (;;) {
        sent += 1;
        yield PART;
      }
    };
    const client = new AbortController();
    const response = await download({ signal: client.signal });
    expect(response.status).toBe(200);
    let before = -1;
    // Buffers on the way fill up, and then nothing more is sent.
    await eventually(
      async () => {
        const now = sent;
        const same = now === before;
        before = now;
        expect(same).toBe(true);
      },
      { everyMs: 300 },
    );
    expect(sent).toBeLessThan(500);
    expect(ended).toBe(false);
    client.abort();
    await eventually(() => expect(ended).toBe(true));
    expect(logged.filter(({ level }) => level === "error")).toEqual([]);
  });
});

test("two reports or exports of a workspace run at once; the next is RATE_LIMITED until one has ended", async () => {
  const running = [new AbortController(), new AbortController()];
  const token = gateway.accounts.session("view");
  const headers = { authorization: `Bearer ${token}` };
  const user = () => gateway.surfaceB(token);
  const whole = parts;
  parts = async function* (_request, { signal }) {
    yield PART;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  for (const { signal } of running) expect((await download({ signal, headers })).status).toBe(200);
  for (const path of ["/reports/register", "/reports/by-location", "/export/register.csv"]) {
    const refused = await user().call("GET", path);
    expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  parts = whole;
  expect((await download()).status).toBe(200);
  running[0]?.abort();
  await eventually(async () => expect((await user().call("GET", "/reports/register")).status).toBe(200));
  running[1]?.abort();
});
