import { testKeys } from "@asset-register/harness";
import {
  CustomFieldService,
  CustomFieldStatus,
  CustomFieldType,
} from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import {
  OrganisationKind,
  OrganisationService,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { SessionStatus, StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { serving, startFakeService } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const id = "flr_01kahz9gfxe7s8aw52mzxgpsk0";
const fieldId = "cfd_01kahz9gfxe7s8aw52mzxgpsk0";

const small = "sts_01kahz9gfxe7s8aw52mzxgpsk0";
const large = "sts_01kahz9gfxe7s8aw52mzxgpsk1";

const keys = testKeys("gateway", "upstream");
const stocktake = await startFakeService("upstream", keys, [
  serving(StocktakeService, {
    openSession: ({ id: sessionId }) => {
      const status = sessionId === large ? SessionStatus.OPENING : SessionStatus.OPEN;
      const progress = { done: 1_000, total: 90_000 };
      return { session: { id: sessionId, name: "Spring", scopeType: 1, status, progress, rev: 2 } };
    },
  }),
]);

// A move to another building, and a field that becomes unique, go on after the call. Other changes end with it.
const gateway = await startGateway({
  keys,
  settings: { STOCKTAKE_ADDRESS: stocktake.address },
  implementations: [
    serving(OrganisationService, {
      updateRecord: ({ record }) => {
        const placing = record?.buildingId === undefined ? undefined : { done: 1, total: 900 };
        return { record: { id, kind: OrganisationKind.FLOOR, name: "Ground", rev: 2, placing } };
      },
    }),
    serving(CustomFieldService, {
      updateCustomField: ({ customField }) => {
        const work = { status: CustomFieldStatus.INDEXING, progress: { done: 1, total: 900 } };
        const same = { id: fieldId, key: "imei", label: "IMEI", type: CustomFieldType.TEXT, rev: 2 };
        return {
          customField: { ...same, ...(customField?.unique ? work : { status: CustomFieldStatus.ACTIVE }) },
        };
      },
    }),
  ],
});
const surfaceB = gateway.surfaceB(gateway.accounts.session("admin"));
afterAll(async () => {
  await gateway.stop();
  await stocktake.stop();
});

test("a change whose work goes on is 202 with its progress; one that has ended is 200", async () => {
  const building = { building_id: "bld_01kahz9gfxe7s8aw52mzxgpsk0" };
  expect(await surfaceB.call("PATCH", `/floors/${id}`, building)).toMatchObject({
    status: 202,
    body: { id, rev: 2, placing: { done: 1, total: 900 } },
  });
  expect((await surfaceB.call("PATCH", `/floors/${id}`, { name: "Ground" })).status).toBe(200);
  expect(await surfaceB.call("PATCH", `/custom-fields/${fieldId}`, { unique: true })).toMatchObject({
    status: 202,
    body: { id: fieldId, status: "indexing", progress: { done: 1, total: 900 } },
  });
  expect(await surfaceB.call("PATCH", `/custom-fields/${fieldId}`, { label: "IMEI" })).toMatchObject({
    status: 200,
    body: { status: "active", progress: null },
  });
  expect(await surfaceB.call("POST", `/stocktake/sessions/${large}/open`)).toMatchObject({
    status: 202,
    body: { id: large, status: "opening", progress: { done: 1_000, total: 90_000 } },
  });
  expect(await surfaceB.call("POST", `/stocktake/sessions/${small}/open`)).toMatchObject({
    status: 200,
    body: { id: small, status: "open", opened_at: null },
  });
});
