import { testKeys } from "@asset-register/harness";
import {
  DepreciationRunService,
  RunStatus,
} from "@asset-register/proto/assetregister/finance/v1/depreciation_run_pb";
import {
  CustomFieldService,
  CustomFieldStatus,
  CustomFieldType,
} from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import {
  OrganisationKind,
  OrganisationService,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ReconcileService } from "@asset-register/proto/assetregister/stocktake/v1/reconcile_pb";
import { SessionStatus, StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { serving, startFakeService } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const id = "flr_01kahz9gfxe7s8aw52mzxgpsk0";
const fieldId = "cfd_01kahz9gfxe7s8aw52mzxgpsk0";

const small = "sts_01kahz9gfxe7s8aw52mzxgpsk0";
const large = "sts_01kahz9gfxe7s8aw52mzxgpsk1";
const smallRun = "run_01kahz9gfxe7s8aw52mzxgpsk0";
const largeRun = "run_01kahz9gfxe7s8aw52mzxgpsk1";

const runOf = (runId: string, [working, ended]: [RunStatus, RunStatus]) => ({
  run: {
    ...{ id: runId, book: 1, year: 2026, month: 3, totals: {}, rev: 2 },
    status: runId === largeRun ? working : ended,
    progress: { done: 500, total: 90_000 },
  },
});

const keys = testKeys("gateway", "upstream");
const lineOf = (runId: string) => {
  const amount = { minorUnits: 123_456_789_012_345n, currency: "EUR" };
  const values = { openingNbv: amount, amount: { ...amount, minorUnits: 5n }, closingNbv: amount };
  return { runId, assetId: "ast_1", kind: 1, period: { year: 2026, month: 3 }, ...values };
};

const stocktake = await startFakeService("upstream", keys, [
  serving(DepreciationRunService, {
    createRun: ({ month }) =>
      runOf(month === 1 ? smallRun : largeRun, [RunStatus.COMPUTING, RunStatus.DRAFT]),
    listRunLines: ({ runId, skipped }) => ({
      ...(skipped ? { skipped: [{ assetId: "ast_1", reason: "MANUAL" }] } : { lines: [lineOf(runId)] }),
      page: { page: 1, limit: 50, total: 1 },
    }),
    postRun: ({ id: runId }) => runOf(runId, [RunStatus.POSTING, RunStatus.POSTED]),
  }),
  serving(StocktakeService, {
    openSession: ({ id: sessionId }) => {
      const status = sessionId === large ? SessionStatus.OPENING : SessionStatus.OPEN;
      const progress = { done: 1_000, total: 90_000 };
      return { session: { id: sessionId, name: "Spring", scopeType: 1, status, progress, rev: 2 } };
    },
  }),
  serving(ReconcileService, {
    reconcileSession: ({ id: sessionId }) => {
      const status = sessionId === large ? SessionStatus.RECONCILING : SessionStatus.RECONCILED;
      const progress = { done: 2_000, total: 90_000 };
      return { session: { id: sessionId, name: "Spring", scopeType: 1, status, progress, rev: 3 } };
    },
    closeSession: ({ id: sessionId }) => {
      const stamped = { done: sessionId === large ? 1_000 : 90_000, total: 90_000 };
      const status = SessionStatus.CLOSED;
      return { session: { id: sessionId, name: "Spring", scopeType: 1, status, stamped, rev: 4 } };
    },
  }),
]);

// A move to another building, and a field that becomes unique, continue after the call. Other changes end with it.
const gateway = await startGateway({
  keys,
  settings: { STOCKTAKE_ADDRESS: stocktake.address, FINANCE_ADDRESS: stocktake.address },
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

test("a change whose work continues is 202 with its progress; one that has ended is 200", async () => {
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
  const result = async (of: string, action: string) => {
    const { status, body } = await surfaceB.call("POST", `/stocktake/sessions/${of}/${action}`);
    return [status, (body as { status: string }).status];
  };
  expect(await result(large, "reconcile")).toEqual([202, "reconciling"]);
  expect(await result(small, "reconcile")).toEqual([200, "reconciled"]);
  expect(await result(large, "close")).toEqual([202, "closed"]);
  expect(await result(small, "close")).toEqual([200, "closed"]);
});

test("202 has the address of the record in Location, also for a change and an act", async () => {
  const locationOf = async (method: string, path: string, body?: object) =>
    (await surfaceB.call(method, path, body)).headers.get("location");
  const building = { building_id: "bld_01kahz9gfxe7s8aw52mzxgpsk0" };
  expect(await locationOf("PATCH", `/floors/${id}`, building)).toBe(`/asset_manager_api/floors/${id}`);
  expect(await locationOf("PATCH", `/floors/${id}`, { name: "Ground" })).toBeNull();
  expect(await locationOf("PATCH", `/custom-fields/${fieldId}`, { unique: true })).toBe(
    `/asset_manager_api/custom-fields/${fieldId}`,
  );
  const session = `/asset_manager_api/stocktake/sessions/${large}`;
  for (const act of ["open", "reconcile", "close"]) {
    expect(await locationOf("POST", `/stocktake/sessions/${large}/${act}`)).toBe(session);
  }
  expect(await locationOf("POST", `/stocktake/sessions/${small}/open`)).toBeNull();
});

test("a depreciation run that is computing or posting is 202 with its Location or progress; one that has ended is 201, then 200", async () => {
  const create = (month: number) => surfaceB.call("POST", "/depreciation/runs", { year: 2026, month });
  const computing = await create(2);
  expect(computing).toMatchObject({
    status: 202,
    body: { id: largeRun, status: "computing", progress: { done: 500, total: 90_000 } },
  });
  expect(computing.headers.get("location")).toBe(`/asset_manager_api/depreciation/runs/${largeRun}`);
  const draft = await create(1);
  expect(draft).toMatchObject({ status: 201, body: { id: smallRun, status: "draft" } });
  expect(draft.headers.get("location")).toBe(`/asset_manager_api/depreciation/runs/${smallRun}`);
  const post = (runId: string) => surfaceB.call("POST", `/depreciation/runs/${runId}/post`);
  expect(await post(largeRun)).toMatchObject({ status: 202, body: { status: "posting" } });
  expect(await post(smallRun)).toMatchObject({ status: 200, body: { status: "posted" } });
});

test("the lines of a depreciation run have exact amounts; with skipped=true the list is {asset_id, reason}", async () => {
  const lines = (query: string) => surfaceB.call("GET", `/depreciation/runs/${smallRun}/lines${query}`);
  expect((await lines("")).body).toMatchObject({
    data: [
      {
        ...{ asset_id: "ast_1", period: { year: 2026, month: 3 }, kind: "charge" },
        ...{ amount: 0.05, opening_nbv: 1_234_567_890_123.45 },
      },
    ],
    total: 1,
  });
  expect((await lines("?skipped=true")).body).toMatchObject({
    data: [{ asset_id: "ast_1", reason: "MANUAL" }],
  });
});
