import { StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import {
  type ListReportRowsRequestSchema,
  ReportGrouping,
  ReportService,
} from "@asset-register/proto/assetregister/register/v1/report_pb";
import { codeOf, failure } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { makeRecord, type RunningRegister, seedWorkspace, sharedRegister } from "../support.ts";
import { disposal, storeAssets } from "./report-support.ts";

const { LOCATION, CUSTODIAN, CATEGORY } = ReportGrouping;
/** Ids of records and statuses by their names. */
const ids: Record<string, string> = {};
const clientOf = (running: RunningRegister) => running.client(ReportService);

const register = await sharedRegister();
const reports = clientOf(register);
const home = await seedWorkspace(register);
const make = async (kind: OrganisationKind, name: string, parentId?: string) => {
  ids[name] = await makeRecord(register, home, { kind, name, ...(parentId && { parentId }) });
};
await make(OrganisationKind.LOCATION, "hall");
await make(OrganisationKind.LOCATION, "Room", ids.hall);
await make(OrganisationKind.LOCATION, "shelf", ids.Room);
await make(OrganisationKind.LOCATION, "Yard");
await make(OrganisationKind.CATEGORY, "Machines");
await make(OrganisationKind.CATEGORY, "Saws", ids.Machines);
await make(OrganisationKind.CUSTODIAN, "Ada");
const { statuses } = await register.assets.listStatuses({}, home.admin);
for (const { key, id } of statuses) ids[key] = id;
const at = (
  locationId: string | undefined,
  categoryId: string | undefined,
  statusKey: string,
  cost?: number,
) => ({
  ...{ locationId, categoryId, statusId: ids[statusKey] ?? "", cost },
  ...(cost !== undefined && { nbv: cost - 1, accumulatedDepreciation: 1 }),
});
await storeAssets(register, home.id, [
  { ...at(ids.hall, ids.Machines, "in_use", 100), custodianId: ids.Ada, name: "Drill" },
  at(ids.Room, ids.Saws, "in_use", 1_000),
  at(ids.shelf, ids.Saws, "lost", 10_000),
  at(ids.shelf, undefined, "in_stock", 100_000),
  at(undefined, ids.Saws, "retired"),
  { ...at(ids.hall, ids.Saws, "disposed", 5_000_000), disposed: disposal },
  { ...at(ids.hall, ids.Saws, "in_use", 5_000_000), deletedAt: new Date() },
  { ...at(ids.hall, ids.Saws, "disposed", 5_000_000), disposed: disposal, deletedAt: new Date() },
]);

type Request = MessageInitShape<typeof ListReportRowsRequestSchema>;

const money = (minorUnits: number) => ({ minorUnits: BigInt(minorUnits), currency: "EUR" });

/** The rows as [name, count, cost, nbv]. */
async function rowsOf(request: Request, { admin } = home) {
  const { rows } = await reports.listReportRows(request, admin);
  return rows.map(({ name, count, cost, nbv }) => [
    name,
    count,
    Number(cost?.minorUnits),
    Number(nbv?.minorUnits),
  ]);
}

describe("the report of the register", () => {
  test("has count and value, by status and class, without deleted and disposed assets", async () => {
    const { report } = await reports.getRegisterReport({}, home.admin);
    expect(report).toMatchObject({
      ...{ count: 5, cost: money(111_100), nbv: money(111_096), accumulated: money(4) },
      ...{ withoutCost: 1, disposed: { count: 1 } },
      byClass: [
        { class: StatusClass.PENDING, count: 0, cost: money(0), nbv: money(0) },
        { class: StatusClass.DEPLOYABLE, count: 3, cost: money(101_100), nbv: money(101_097) },
        { class: StatusClass.UNDEPLOYABLE, count: 1, cost: money(10_000), nbv: money(9_999) },
        { class: StatusClass.ARCHIVED, count: 1, cost: money(0), nbv: money(0) },
      ],
    });
    expect(report?.byStatus.map(({ name, count, cost }) => [name, count, Number(cost?.minorUnits)])).toEqual([
      ...[
        ["Ordered", 0, 0],
        ["In stock", 1, 100_000],
        ["In use", 2, 1_100],
      ],
      ...[
        ["Under maintenance", 0, 0],
        ["Damaged", 0, 0],
        ["Lost", 1, 10_000],
        ["Retired", 1, 0],
      ],
    ]);
  });

  test("takes the filters of assets; an id of another workspace finds nothing", async () => {
    const count = async (filter: object, { admin } = home) =>
      (await reports.getRegisterReport(filter, admin)).report?.count;
    expect(await count({ locationId: ids.shelf })).toBe(2);
    expect(await count({ categoryId: ids.Saws, statusId: ids.in_use })).toBe(1);
    expect(await count({ custodianId: ids.Ada })).toBe(1);
    expect(await count({ q: "dri" })).toBe(1);
    expect(await count({ propertyId: "prp_unknown" })).toBe(0);
    const other = await seedWorkspace(register);
    expect(await count({}, other)).toBe(0);
    expect(await count({ locationId: ids.shelf }, other)).toBe(0);
    const { report } = await reports.getRegisterReport({ locationId: ids.hall }, home.admin);
    expect(report).toMatchObject({ count: 1, disposed: { count: 1 } });
  });
});

describe("rows of locations, custodians and categories", () => {
  test("are in order of name without case; the assets that have none are the last row, without id and name", async () => {
    expect(await rowsOf({ grouping: LOCATION })).toEqual([
      ["hall", 1, 100, 99],
      ["Room", 1, 1_000, 999],
      ["shelf", 2, 110_000, 109_998],
      [undefined, 1, 0, 0],
    ]);
    expect(await rowsOf({ grouping: CUSTODIAN })).toEqual([
      ["Ada", 1, 100, 99],
      [undefined, 4, 111_000, 110_997],
    ]);
    const { rows } = await reports.listReportRows({ grouping: CATEGORY }, home.admin);
    expect(rows.map(({ id }) => id)).toEqual([ids.Machines, ids.Saws, undefined]);
  });

  test("with rollup a location or category has the assets below it too; for custodians rollup is invalid", async () => {
    expect(await rowsOf({ grouping: LOCATION, rollup: true })).toEqual([
      ["hall", 4, 111_100, 111_096],
      ["Room", 3, 111_000, 110_997],
      ["shelf", 2, 110_000, 109_998],
      [undefined, 1, 0, 0],
    ]);
    expect(await rowsOf({ grouping: CATEGORY, rollup: true })).toEqual([
      ["Machines", 4, 11_100, 11_097],
      ["Saws", 3, 11_000, 10_998],
      [undefined, 1, 100_000, 99_999],
    ]);
    const refused = await failure(reports.listReportRows({ grouping: CUSTODIAN, rollup: true }, home.admin));
    expect(refused).toMatchObject({ code: "VALIDATION_FAILED", violations: [{ field: "rollup" }] });
  });

  test("take filters, pages and cursors; a cursor is valid for its list only", async () => {
    expect(await rowsOf({ grouping: LOCATION, categoryId: ids.Saws })).toEqual([
      ["Room", 1, 1_000, 999],
      ["shelf", 1, 10_000, 9_999],
      [undefined, 1, 0, 0],
    ]);
    expect(await rowsOf({ grouping: LOCATION, page: { page: 2, limit: 3 } })).toEqual([[undefined, 1, 0, 0]]);
    const first = await reports.listReportRows({ grouping: LOCATION, page: { limit: 2 } }, home.admin);
    expect(first.page).toMatchObject({ page: 1, limit: 2, total: 4 });
    const page = { limit: 2, cursor: first.page?.nextCursor ?? "" };
    expect(await rowsOf({ grouping: LOCATION, page })).toEqual([
      ["shelf", 2, 110_000, 109_998],
      [undefined, 1, 0, 0],
    ]);
    for (const other of [{ grouping: CATEGORY }, { grouping: LOCATION, rollup: true }])
      expect(await codeOf(reports.listReportRows({ ...other, page }, home.admin))).toBe("VALIDATION_FAILED");
  });

  test("another workspace has none, and a grouping is required", async () => {
    const other = await seedWorkspace(register);
    expect(await rowsOf({ grouping: LOCATION }, other)).toEqual([]);
    expect(await rowsOf({ grouping: LOCATION, locationId: ids.hall }, other)).toEqual([]);
    expect(await codeOf(reports.listReportRows({}, home.admin))).toBe("VALIDATION_FAILED");
  });
});

test("reports need the capability view; API keys can't read them", async () => {
  const { user, key } = home;
  expect(await codeOf(reports.getRegisterReport({}, user("view")))).toBeUndefined();
  expect(await codeOf(reports.getRegisterReport({}, user("edit")))).toBe("FORBIDDEN");
  expect(await codeOf(reports.listReportRows({ grouping: LOCATION }, key("assets:read")))).toBe("FORBIDDEN");
});
