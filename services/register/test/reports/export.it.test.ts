import { eventually } from "@asset-register/harness";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ReportService } from "@asset-register/proto/assetregister/register/v1/report_pb";
import type { CallOptions } from "@asset-register/rpc";
import { caller, codeOf, openProfiler } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { customFieldCalls } from "../custom-fields/custom-field-support.ts";
import { makeRecord, type RunningRegister, seedWorkspace, sharedRegister } from "../support.ts";
import { disposal, storeAssets } from "./report-support.ts";

const clientOf = (running: RunningRegister) => running.client(ReportService);

const register = await sharedRegister();
const reports = clientOf(register);

const HEADER = [
  ...["id", "number", "name", "description", "category", "category_id", "department", "department_id"],
  ...["property", "property_id", "building", "building_id", "floor", "floor_id", "location", "location_id"],
  ...["custodian", "custodian_id", "status", "serial_number", "manufacturer", "model", "cost"],
  ...["salvage_value", "useful_life_months", "in_service_date", "depreciation_method", "supplier"],
  ...["purchase_order", "invoice_number", "nbv", "accumulated_depreciation", "tags", "last_seen_at"],
  ...["last_audited_at", "disposal_date", "created_at", "updated_at"],
];

/** The parts of the file. */
async function partsOf(filter: object, caller: CallOptions): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for await (const { content } of reports.exportRegister(filter, caller)) parts.push(content);
  return parts;
}

test("each export is in the audit log with its filters and the client; one that is refused is not", async () => {
  const workspace = await seedWorkspace(register);
  const by = {
    ...workspace.admin,
    requestId: "req-1",
    clientAddress: "192.0.2.7",
    clientRequestId: "sync-1",
  };
  await partsOf({}, by);
  await partsOf({ locationId: "loc_1", q: "drill" }, by);
  expect(await codeOf(partsOf({}, caller.apiKey(workspace.id, "assets:read")))).toBe("FORBIDDEN");
  await eventually(() => {
    const found = register.auditEntries(workspace.id).filter(({ action }) => action === "register.exported");
    const origin = { requestId: "req-1", clientAddress: "192.0.2.7", clientRequestId: "sync-1" };
    expect(found).toMatchObject([
      { ...origin, subjectId: undefined, changes: {} },
      { ...origin, changes: { location_id: [undefined, "loc_1"], q: [undefined, "drill"] } },
    ]);
  });
});

/** The cells of the file: no text of these tests has a quotation mark and a comma side by side. */
async function linesOf(filter: object, caller: CallOptions): Promise<string[][]> {
  const text = Buffer.concat(await partsOf(filter, caller)).toString("utf8");
  expect(text.endsWith('"\r\n')).toBe(true);
  return text
    .slice(0, -2)
    .split("\r\n")
    .map((line) => line.slice(1, -1).split('","'));
}

/** The rows as objects by the names of the columns. */
async function rowsOf(filter: object, caller: CallOptions): Promise<Record<string, string>[]> {
  const [header = [], ...lines] = await linesOf(filter, caller);
  return lines.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ""])));
}

test("each asset is a row in order of id with the names of its records; disposed assets too, deleted ones not", async () => {
  const home = await seedWorkspace(register, { currency: "KWD" });
  const make = (kind: OrganisationKind, name: string) => makeRecord(register, home, { kind, name });
  const propertyId = await make(OrganisationKind.PROPERTY, "Plant");
  const categoryId = await make(OrganisationKind.CATEGORY, "=Machines");
  const locationId = await makeRecord(register, home, {
    ...{ kind: OrganisationKind.LOCATION, name: "Hall Ä", propertyId },
  });
  const { statuses } = await register.assets.listStatuses({}, home.admin);
  const statusId = statuses.find(({ key }) => key === "in_use")?.id ?? "";
  const at = new Date("2026-03-04T05:06:07.008Z");
  const [full, disposed] = await storeAssets(register, home.id, [
    {
      ...{
        name: "Drill",
        number: "AST-1",
        description: "@home",
        categoryId,
        propertyId,
        locationId,
        statusId,
      },
      ...{ serialNumber: "S1", manufacturer: "Bosch", model: "GSB", cost: 1_234_567, nbv: 1_000_000 },
      ...{ salvageValue: 5, usefulLifeMonths: 60, inServiceDate: "2026-01-31", supplier: "Shop" },
      ...{ depreciationMethod: "straight_line" as const, purchaseOrder: "PO-1", invoiceNumber: "-1" },
      ...{ accumulatedDepreciation: 234_567, lastSeen: { at, readerId: "rdr_1" }, lastAuditedAt: at },
      ...{ createdAt: at, updatedAt: at },
      tags: [
        { id: "tag_1", type: "rfid" as const, epc: "30AB" },
        { id: "tag_2", type: "qr" as const, code: "Q-7" },
      ],
    },
    { name: "Sold", disposed: disposal },
    { name: "Gone", deletedAt: at },
  ]);
  const [header, ...lines] = await linesOf({}, home.user("view"));
  expect(header).toEqual(HEADER);
  expect(lines.map(([id]) => id)).toEqual([full?.id, disposed?.id]);
  const instant = "2026-03-04T05:06:07.008Z";
  expect(lines[0]).toEqual([
    ...[full?.id, "AST-1", "Drill", "'@home", "'=Machines", categoryId, "", "", "Plant", propertyId],
    ...["", "", "", "", "Hall Ä", locationId, "", "", "In use", "S1", "Bosch", "GSB", "1234.567", "0.005"],
    ...["60", "2026-01-31", "straight_line", "Shop", "PO-1", "'-1", "1000.000", "234.567", "30AB Q-7"],
    ...[instant, instant, "", instant, instant],
  ]);
  const [, sold] = await rowsOf({}, home.admin);
  expect(sold).toMatchObject({ name: "Sold", cost: "", disposal_date: "2026-05-04" });
});

test("custom fields are columns in their order, without values that the category hides", async () => {
  const home = await seedWorkspace(register);
  const categoryId = await makeRecord(register, home, { kind: OrganisationKind.CATEGORY, name: "Pumps" });
  const { define } = customFieldCalls(register, home);
  await define("second", { position: 2, categoryIds: [categoryId] });
  await define("first", { position: 1 });
  const values = { first: "A", second: "B" };
  await storeAssets(register, home.id, [
    { name: "Pump", categoryId, customFields: values },
    { name: "Desk", customFields: values },
  ]);
  const [header, ...lines] = await linesOf({}, home.admin);
  expect(header).toEqual([...HEADER, "custom_fields.first", "custom_fields.second"]);
  expect(lines.map((cells) => cells.slice(-2))).toEqual([
    ["A", "B"],
    ["A", ""],
  ]);
});

test("the file takes the filters of assets; that of another workspace has a header only", async () => {
  const home = await seedWorkspace(register);
  await storeAssets(register, home.id, [
    { name: "Drill", locationId: "loc_1", categoryId: "cat_1" },
    { name: "Saw", locationId: "loc_1" },
    { name: "Lathe", custodianId: "cus_1" },
  ]);
  const names = async (filter: object, { admin } = home) =>
    (await rowsOf(filter, admin)).map(({ name }) => name);
  expect(await names({ locationId: "loc_1" })).toEqual(["Drill", "Saw"]);
  expect(await names({ locationId: "loc_1", categoryId: "cat_1" })).toEqual(["Drill"]);
  expect(await names({ custodianId: "cus_1" })).toEqual(["Lathe"]);
  expect(await names({ q: "sa" })).toEqual(["Saw"]);
  expect(await names({ statusId: "sta_none" })).toEqual([]);
  expect(await names({ locationId: "loc_1" }, await seedWorkspace(register))).toEqual([]);
  expect(await codeOf(partsOf({}, home.user("edit")))).toBe("FORBIDDEN");
  expect(await codeOf(partsOf({}, home.key("assets:read")))).toBe("FORBIDDEN");
});

test("a large file comes in parts of at most 64 KiB; a caller that goes away ends the query", async () => {
  const home = await seedWorkspace(register);
  const description = "x".repeat(5_000);
  await storeAssets(
    register,
    home.id,
    Array.from({ length: 4_000 }, (_, index) => ({ name: `Asset ${index}`, description })),
  );
  const parts = await partsOf({}, home.admin);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(65_536);
  expect(Buffer.concat(parts).toString("utf8").split("\r\n").length).toBe(4_002);

  const { cursorsOf, close } = await openProfiler(register.mongo.database);
  for await (const { content } of reports.exportRegister({}, home.admin)) {
    expect(content.length).toBeGreaterThan(0);
    await eventually(async () => expect(await cursorsOf("assets")).toBe(1));
    break;
  }
  await eventually(async () => expect(await cursorsOf("assets")).toBe(0));
  await close();
});
