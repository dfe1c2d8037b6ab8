import { PresenceService } from "@asset-register/proto/assetregister/tagging_ingest/v1/presence_pb";
import { ActivityStep, ReaderService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { notFound } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";
import { timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeEach, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const AT = "2026-11-26T09:30:00.000Z";
const at = timestampFromMs(Date.parse(AT));
let asked: unknown[] = [];

const gateway = await startGateway({
  implementations: [
    serving(PresenceService, {
      countPresence: () => ({ zones: [{ zoneId: "zon_1", name: "Hall", assets: 100_000, asOf: at }] }),
      listPresentTags(request) {
        asked.push(request);
        if (request.zoneId !== "zon_1") throw notFound("zone");
        const tag = { epc: "E1", since: at, lastReadAt: at, readerId: "rdr_1", confidence: 0.97 };
        return { tags: [tag], ...(request.page?.cursor ? {} : { nextCursor: "next" }) };
      },
    }),
    serving(ReaderService, {
      listReaderActivity({ id, from, to, step }) {
        asked.push({ id, from: from && timestampDate(from), to: to && timestampDate(to), step });
        return { steps: [{ at, accepted: 3, duplicate: 1 }] };
      },
      listReaders(request) {
        asked.push(request);
        return { readers: [], page: { page: 1, limit: 50, total: 0 } };
      },
    }),
  ],
});
afterAll(() => gateway.stop());
beforeEach(() => {
  asked = [];
});

const { accounts, surfaceB } = gateway;
const [viewer, engineer] = [surfaceB(accounts.session("view")), surfaceB(accounts.session("devices"))];

test("the tags in a zone are pages with cursors only: `page` is refused, a size above the maximum is the maximum", async () => {
  const tag = { tag_id: null, epc: "E1", asset_id: null, since: AT, last_read_at: AT, reader_id: "rdr_1" };
  const shown = { ...tag, flapping: false, confidence: 0.97, suspended_since: null };
  expect(await viewer.get("/zones/zon_1/presence?per_page=900")).toEqual({
    data: [shown],
    next_cursor: "next",
  });
  expect(await viewer.get("/zones/zon_1/presence?cursor=next")).toEqual({ data: [shown] });
  expect(asked).toMatchObject([{ page: { limit: 200 } }, { page: { cursor: "next", page: 0, limit: 50 } }]);
  expect(await viewer.call("GET", "/zones/zon_1/presence?page=2")).toMatchObject({
    status: 422,
    body: { errors: [{ field: "page" }] },
  });
  expect(await viewer.call("GET", "/zones/zon_2/presence")).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND" },
  });
});

test("the counts of all zones are one list, without an ETag", async () => {
  const answer = await viewer.call("GET", "/zones/presence");
  expect(answer.body).toEqual({
    data: [{ zone_id: "zon_1", name: "Hall", assets: 100_000, unknown: 0, as_of: AT }],
  });
  expect(answer.headers.get("etag")).toBeNull();
});

test("the activity of a reader has steps of 1m and 1h", async () => {
  const row = { at: AT, accepted: 3, rejected: 0, duplicate: 1 };
  expect(await engineer.get("/readers/rdr_1/activity")).toEqual({ data: [row] });
  await engineer.get(`/readers/rdr_1/activity?step=1h&from=${AT}&to=2026-11-26T10:00:00%2B01:00`);
  expect(asked).toEqual([
    { id: "rdr_1", from: undefined, to: undefined, step: ActivityStep.MINUTE },
    {
      ...{ id: "rdr_1", step: ActivityStep.HOUR },
      ...{ from: new Date(AT), to: new Date("2026-11-26T09:00:00.000Z") },
    },
  ]);
  for (const [query, field] of [
    ["step=1d", "step"],
    ["from=yesterday", "from"],
    ["page=1", "page"],
  ]) {
    expect(await engineer.call("GET", `/readers/rdr_1/activity?${query}`)).toMatchObject({
      status: 422,
      body: { errors: [{ field }] },
    });
  }
});

test("presence needs view, and readers devices", async () => {
  for (const path of ["/zones/presence", "/zones/zon_1/presence"]) {
    expect((await engineer.call("GET", path)).status).toBe(403);
  }
  expect((await viewer.call("GET", "/readers/rdr_1/activity")).status).toBe(403);
  await engineer.get("/readers?silent=true&kind=fixed_portal&status=active&zone_id=zon_1");
  expect(asked).toMatchObject([{ silent: true, kind: 1, status: 1, zoneId: "zon_1" }]);
});
