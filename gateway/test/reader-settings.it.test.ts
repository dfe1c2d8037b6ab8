import {
  CreateReaderRequestSchema,
  ReaderService,
  ReaderStatus,
  UpdateZoneRequestSchema,
  ZoneService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import {
  PutReaderSettingsRequestSchema,
  ReaderSettingsService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_settings_pb";
import { serving } from "@asset-register/service-harness";
import { type DescMessage, type MessageShape, toJson } from "@bufbuild/protobuf";
import { afterAll, beforeEach, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

let asked: unknown[] = [];
const note = <D extends DescMessage>(desc: D, message: MessageShape<D>) =>
  void asked.push(toJson(desc, message, { useProtoFieldName: true }));

const gateway = await startGateway({
  implementations: [
    serving(ReaderSettingsService, {
      getReaderSettings: () => ({
        settings: { unknownPerHour: 1_000, travel: { defaultSeconds: 300 }, rev: 1 },
      }),
      putReaderSettings(request) {
        note(PutReaderSettingsRequestSchema, request);
        const { presence, filters, travel } = request;
        return {
          settings: {
            presence,
            filters,
            travel: { pairs: travel?.pairs ?? [], defaultSeconds: 300 },
            rev: 2,
          },
        };
      },
    }),
    serving(ReaderService, {
      createReader(request) {
        note(CreateReaderRequestSchema, request);
        const { name, kind, antennas } = request;
        return {
          reader: { id: "rdr_1", name, kind, antennas, status: ReaderStatus.ACTIVE },
          secret: "rdsec_1",
        };
      },
    }),
    serving(ZoneService, {
      updateZone(request) {
        note(UpdateZoneRequestSchema, request);
        return { zone: { ...request.zone!, id: "zon_1", rev: 2 } };
      },
    }),
  ],
});
afterAll(() => gateway.stop());
beforeEach(() => {
  asked = [];
});

const { accounts, surfaceB } = gateway;
const engineer = surfaceB(accounts.session("devices"));

test("settings that were never stored are the defaults, with an ETag of rev 1", async () => {
  const { body, headers } = await engineer.call("GET", "/reader-settings");
  expect(body).toEqual({
    ...{ presence: null, filters: [], unknown_per_hour: 1_000 },
    ...{ travel: { default_seconds: 300, pairs: [] }, rev: 1, updated_at: null },
  });
  expect(headers.get("etag")).toMatch(/^"1\./);
});

test("settings are replaced by a body of any of their fields, with If-Match", async () => {
  const filters = [{ action: "accept", prefix: "3034", bits: 14 }];
  const travel = { pairs: [{ property_ids: ["prp_1", "prp_2"], seconds: 0 }] };
  const sent = { presence: { confirm_reads: 1, margin_db: 2.5 }, filters, travel };
  const answer = await engineer.call("PUT", "/reader-settings", sent, { "if-match": '"1.x"' });
  expect(answer).toMatchObject({ status: 200, body: { rev: 2, filters, presence: { margin_db: 2.5 } } });
  expect(asked).toEqual([
    {
      ...sent,
      filters: [{ ...filters[0], action: "READ_FILTER_ACTION_ACCEPT" }],
      travel: { pairs: [{ property_ids: ["prp_1", "prp_2"] }] },
      if_rev_in: [1],
    },
  ]);
});

test("a PATCH of a zone names single settings of presence, and all read points", async () => {
  const sent = {
    presence: { confirm_reads: 3, dwell_seconds: null },
    read_points: [{ reader_id: "rdr_1", antenna: 0 }],
  };
  const { body } = await engineer.call("PATCH", "/zones/zon_1", sent);
  expect(body).toMatchObject({
    presence: { confirm_reads: 3, dwell_seconds: null },
    read_points: [{ reader_id: "rdr_1", antenna: 0 }],
  });
  expect(asked).toMatchObject([
    {
      zone: { presence: { confirm_reads: 3 }, read_points: [{ reader_id: "rdr_1" }] },
      update_mask: "presence.confirmReads,presence.dwellSeconds,readPoints",
    },
  ]);
  await engineer.call("PATCH", "/zones/zon_1", { presence: null });
  expect(asked[1]).toMatchObject({ update_mask: "presence" });
});

test("a reader has antennas, whose optional fields are null in the answer", async () => {
  const antennas = [
    { antenna: 1, name: "Inside", zone_id: "zon_1", min_rssi: -65.5 },
    { antenna: 2, name: "Outside" },
  ];
  const { body } = await engineer.call("POST", "/readers", { name: "Gate", kind: "fixed_portal", antennas });
  expect(body).toMatchObject({
    antennas: [
      { ...antennas[0], location_id: null },
      { ...antennas[1], zone_id: null, location_id: null, min_rssi: null },
    ],
    filters: [],
  });
  expect(asked).toMatchObject([{ kind: "READER_KIND_FIXED_PORTAL", antennas }]);
});
