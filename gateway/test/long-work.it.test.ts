import {
  CustomFieldService,
  CustomFieldStatus,
  CustomFieldType,
} from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import {
  OrganisationKind,
  OrganisationService,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { serving } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const id = "flr_01kahz9gfxe7s8aw52mzxgpsk0";
const fieldId = "cfd_01kahz9gfxe7s8aw52mzxgpsk0";

// A move to another building, and a field that becomes unique, go on after the call. Other changes end with it.
const gateway = await startGateway({
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
afterAll(() => gateway.stop());

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
});
