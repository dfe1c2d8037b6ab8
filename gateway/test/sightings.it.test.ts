import { NameService } from "@asset-register/proto/assetregister/tagging_ingest/v1/name_pb";
import {
  DepartureReason,
  type ListAssetSightingsRequest,
  type ListReaderReadsRequest,
  type ListTagReadsRequest,
  SightingChange,
  SightingService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { notFound } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";
import { timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeEach, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const AT = "2026-11-26T09:30:00.000Z";
const at = timestampFromMs(Date.parse(AT));
let asked: unknown[] = [];

type Asked = ListAssetSightingsRequest | ListReaderReadsRequest | ListTagReadsRequest;

function note({ id, from, to, page }: Asked, known: string): void {
  if (id !== known) throw notFound("record");
  const [begin, end] = [from && timestampDate(from), to && timestampDate(to)];
  asked.push({ id, from: begin, to: end, limit: page?.limit, cursor: page?.cursor });
}

const read = { id: "evt_1", readerId: "rdr_1", epc: "E1", at, ts: at, receivedAt: at, count: 2 };
const clonedRead = { readerId: "rdr_1", locationId: "loc_1", propertyId: "prp_1", at, eventId: "evt_9" };
const gateway = await startGateway({
  implementations: [
    serving(SightingService, {
      listAssetSightings(request) {
        note(request, "ast_1");
        const times = { at, receivedAt: at };
        return {
          sightings: [
            {
              ...{
                sequence: 2,
                change: SightingChange.LEFT,
                ...times,
                epc: "E1",
                readerId: "rdr_1",
                eventId: "evt_2",
              },
              ...{ fromZoneId: "zon_1", reason: DepartureReason.READER_GONE },
            },
            {
              ...{
                sequence: 1,
                change: SightingChange.ARRIVED,
                ...times,
                epc: "E1",
                readerId: "rdr_1",
                eventId: "evt_1",
              },
              ...{ tagId: "tag_1", zoneId: "zon_1", locationId: "loc_1", reads: 3, rssi: -52.5 },
            },
            {
              ...{ sequence: 0, change: SightingChange.CLONED, ...times, epc: "E1", readerId: "rdr_1" },
              ...{ eventId: "evt_0", clone: { reads: [clonedRead], travelSeconds: 300 } },
            },
          ],
          nextCursor: "next",
        };
      },
      listTagReads(request) {
        note(request, "tag_1");
        return { reads: [{ ...read, tagId: "tag_1", assetId: "ast_1", antenna: 0, rssi: -60, late: true }] };
      },
      listReaderReads(request) {
        note(request, "rdr_1");
        return { reads: [read] };
      },
    }),
    serving(NameService, {
      resolveNames: ({ ids }) => ({ records: ids.map((id) => ({ id, name: `Name of ${id}` })) }),
    }),
  ],
});
afterAll(() => gateway.stop());
beforeEach(() => {
  asked = [];
});

const { accounts, surfaceB } = gateway;
const [viewer, engineer] = [surfaceB(accounts.session("view")), surfaceB(accounts.session("devices"))];

test("the sightings of an asset have what is absent as null, with cursors and without a total", async () => {
  const none = {
    ...{ tag_id: null, zone_id: null, location_id: null, from_zone_id: null, from_location_id: null },
    ...{
      reason: null,
      rssi: null,
      auto_move_location_id: null,
      clone: null,
      directed: false,
      unconfirmed: false,
      reads: 0,
    },
  };
  const place = { reader_id: "rdr_1", zone_id: null, location_id: "loc_1", property_id: "prp_1" };
  const clone = { reads: [{ ...place, at: AT, rssi: null, event_id: "evt_9" }], travel_seconds: 300 };
  const shown = { ...none, at: AT, received_at: AT, epc: "E1", reader_id: "rdr_1" };
  expect(await viewer.get("/assets/ast_1/sightings?per_page=900&cursor=c")).toEqual({
    data: [
      {
        ...shown,
        sequence: 2,
        change: "left",
        event_id: "evt_2",
        from_zone_id: "zon_1",
        reason: "reader_gone",
      },
      {
        ...{ ...shown, sequence: 1, change: "arrived", event_id: "evt_1", tag_id: "tag_1" },
        ...{ zone_id: "zon_1", location_id: "loc_1", reads: 3, rssi: -52.5 },
      },
      { ...shown, sequence: 0, change: "cloned", event_id: "evt_0", clone },
    ],
    next_cursor: "next",
  });
  expect(asked).toMatchObject([{ limit: 200, cursor: "c" }]);
});

test("reads of a tag and of a reader", async () => {
  const shown = {
    ...{
      id: "evt_1",
      reader_id: "rdr_1",
      epc: "E1",
      at: AT,
      ts: AT,
      received_at: AT,
      count: 2,
      late: false,
      weak: false,
    },
    ...{ tag_id: null, asset_id: null, antenna: null, rssi: null },
  };
  const known = { tag_id: "tag_1", asset_id: "ast_1", antenna: 0, rssi: -60, late: true };
  expect(await viewer.get("/tags/tag_1/reads")).toEqual({ data: [{ ...shown, ...known }] });
  expect(await viewer.get("/readers/rdr_1/reads")).toEqual({ data: [shown] });
});

test("times have any zone, and a wrong parameter is named", async () => {
  await viewer.get(`/readers/rdr_1/reads?from=${AT}&to=2026-11-26T11:00:00%2B01:00`);
  expect(asked).toEqual([
    {
      id: "rdr_1",
      from: new Date(AT),
      to: new Date("2026-11-26T10:00:00.000Z"),
      limit: 50,
      cursor: undefined,
    },
  ]);
  for (const [query, field] of [
    ["from=yesterday", "from"],
    ["to=2026-02-30T00:00:00Z", "to"],
    ["page=2", "page"],
    ["expand=custodian", "expand"],
  ]) {
    for (const path of ["/assets/ast_1/sightings", "/tags/tag_1/reads", "/readers/rdr_1/reads"]) {
      expect(await viewer.call("GET", `${path}?${query}`)).toMatchObject({
        status: 422,
        body: { errors: [{ field: expect.stringContaining(field ?? "") }] },
      });
    }
  }
});

test("names of zones and readers are beside their ids", async () => {
  const { data } = await viewer.get<{ data: object[] }>("/assets/ast_1/sightings?expand=zone,reader");
  expect(data[0]).toMatchObject({
    ...{ zone: null, from_zone: { id: "zon_1", name: "Name of zon_1" } },
    reader: { id: "rdr_1", name: "Name of rdr_1" },
  });
  expect(data[2]).toMatchObject({ clone: { reads: [{ zone: null, reader: { name: "Name of rdr_1" } }] } });
});

test("another id is 404, and the lists need view", async () => {
  for (const path of ["/assets/ast_2/sightings", "/tags/tag_2/reads", "/readers/rdr_2/reads"]) {
    expect(await viewer.call("GET", path)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await engineer.call("GET", path)).status).toBe(403);
  }
});
