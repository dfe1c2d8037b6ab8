import { request } from "undici";
import { afterEach, expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";
import { createPageServer, type PageServer } from "./page-server.ts";
import type { ReaderStatus, Status } from "./status.ts";

const reader: ReaderStatus = {
  name: "gate-1",
  platform_reader: "rdr_1",
  input: { type: "llrp", state: "failed", detail: "connect <ECONNREFUSED>" },
  reads: 12_345,
  reads_per_second: 20.5,
  last_read_at: "2026-01-01T00:00:00.000Z",
  heard_at: "2026-01-01T00:00:00.000Z",
  waiting: 7,
  sent_events: 12_000,
  refused_events: 3,
  filtered: 4,
  turned_away: 5,
  unreadable: 1,
  unreadable_reasons: ["<script>alert(1)</script>"],
  clock_off_ms: -60_000,
  problem: "READER_SIGNATURE_INVALID",
};
const status: Status = {
  version: "1.0.0",
  now: "2026-01-01T00:10:00.000Z",
  started_at: "2026-01-01T00:00:00.000Z",
  agent: { id: "agt_1", name: "Site" },
  platform: {
    url: "https://assets.example.com",
    last_upload_at: "2026-01-01T00:09:00.000Z",
    problem: null,
    clock_offset_ms: 5000,
    sync_problem: null,
  },
  buffer: {
    ...{ rows: 50_000, bytes: 4_194_304, max_bytes: 2_147_483_648, oldest_at: "2026-01-01T00:05:00.000Z" },
    ...{ full: null, dropped: { full: 8, old: 9 }, backlog_ends_at: "2026-01-01T01:00:00.000Z" },
    backlog_events_per_second: 5000,
  },
  readers: [reader],
  refused: {
    by_code: [{ reader: "gate-1", code: "VALIDATION_FAILED", events: 3 }],
    newest: [
      { reader: "gate-1", at: "2026-01-01T00:00:00.000Z", code: "VALIDATION_FAILED", event: '{"epc":"00"}' },
    ],
  },
};

let server: PageServer | undefined;
afterEach(() => server?.stop());

async function start(password?: string): Promise<string> {
  const address = { host: "127.0.0.1", port: 0 };
  server = createPageServer({
    address,
    password,
    controlToken: "control-token",
    refused: async (asked) => {
      if (asked.reader === "none") throw new Error("There is no reader none");
      return { count: Number(asked.code) };
    },
    status: () => status,
    metrics: createMetrics(() => status),
  });
  await server.start();
  return `http://127.0.0.1:${server.port()}`;
}

test("the page shows readers, buffer, uploads, clocks and what was refused", async () => {
  const response = await fetch(await start());
  const text = await response.text();
  for (const shown of [
    "gate-1",
    "20.5",
    "50,000",
    "2026-01-01 01:00:00Z",
    "VALIDATION_FAILED",
    "-60.0 s",
    "5.0 s",
  ])
    expect(text).toContain(shown);
});

test("what readers send cannot become a part of the page, and the page loads nothing", async () => {
  const response = await fetch(await start());
  const text = await response.text();
  expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(text).not.toContain("<script>");
  const policy = response.headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  expect(text).toContain(`nonce="${/'nonce-([^']+)'/.exec(policy ?? "")?.[1]}"`);
});

test("the status is JSON, and the metrics have the same numbers", async () => {
  const url = await start();
  expect(await (await fetch(`${url}/status.json`)).json()).toEqual(status);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('edge_agent_reads_total{reader="gate-1"} 12345');
  expect(metrics).toContain("edge_agent_buffer_oldest_seconds 300");
  expect(metrics).toContain("edge_agent_last_upload_age_seconds 60");
  expect(metrics).toContain('edge_agent_reader_clock_off_seconds{reader="gate-1"} -60');
  expect(metrics).toContain('edge_agent_dropped_reads_total{reason="full"} 8');
});

test("with a password, everything needs it", async () => {
  const url = await start("page-password");
  for (const path of ["/", "/status.json", "/metrics"]) {
    expect((await fetch(`${url}${path}`)).status).toBe(401);
    const authorization = `Basic ${btoa("agent:page-password")}`;
    expect((await fetch(`${url}${path}`, { headers: { authorization } })).status).toBe(200);
  }
});

test("without a password, only a local name of this machine is served, so that no site can read it by a name of its own", async () => {
  const url = await start();
  const { statusCode } = await request(url, { headers: { host: "evil.example.com" } });
  expect(statusCode).toBe(403);
});

test("refused events are handled for the control token only, also without a password", async () => {
  const url = await start();
  const ask = async (request: object, token = "control-token") => {
    const headers = { authorization: `Bearer ${token}` };
    const init = { method: "POST", body: JSON.stringify(request), headers };
    const response = await fetch(`${url}/refused`, init);
    return [response.status, (await response.text()).trim()];
  };
  expect(await ask({ action: "drop", code: "7" })).toEqual([200, '{\n  "count": 7\n}']);
  expect(await ask({ action: "drop", code: "7" }, "another-token")).toEqual([
    401,
    "Only commands of the agent's user can use it.",
  ]);
  expect(await ask({ action: "dance" })).toEqual([400, "The request is not understood."]);
  expect(await ask({ action: "retry", reader: "none" })).toEqual([422, "There is no reader none"]);
  expect((await fetch(`${url}/refused`)).status).toBe(401);
});

test("other paths and methods are refused", async () => {
  const url = await start();
  expect((await fetch(`${url}/other`)).status).toBe(404);
  expect((await fetch(url, { method: "POST" })).status).toBe(405);
});
