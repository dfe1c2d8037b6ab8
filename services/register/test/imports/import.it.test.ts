import { eventually } from "@asset-register/harness";
import { IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustomFieldType } from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import {
  ImportMode,
  ImportOnExisting,
  ImportReferences,
} from "@asset-register/proto/assetregister/register/v1/import_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ReportService } from "@asset-register/proto/assetregister/register/v1/report_pb";
import { describe, expect, test } from "vitest";
import { customFieldCalls } from "../custom-fields/custom-field-support.ts";
import { importCalls, rowOf, statusOf } from "../import-support.ts";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister, type Workspace } from "../support.ts";

const { SKIP_BAD } = ImportMode;
const { UPDATE } = ImportOnExisting;
const register = await sharedRegister();

async function setUp() {
  const workspace = await seedWorkspace(register);
  return { workspace, ...importCalls(register, workspace) };
}

const stored = (workspace: Workspace, name: string, filter: object = {}) =>
  register.mongo
    .collection(name)
    .find({ workspaceId: workspace.id, ...filter })
    .toArray();

const assetsOf = async ({ admin }: Workspace) =>
  (await register.assets.listAssets({ page: { limit: 200, sort: "number" } }, admin)).assets;

describe("a file", () => {
  test("with BOM, semicolons, quoted newlines, CRLF, names of records and custom fields becomes assets", async () => {
    const { workspace, run, rows } = await setUp();
    const berlin = await makeRecord(register, workspace, { kind: OrganisationKind.PROPERTY, name: "Berlin" });
    const store = await makeRecord(register, workspace, {
      kind: OrganisationKind.LOCATION,
      name: "Store",
      propertyId: berlin,
    });
    await customFieldCalls(register, workspace).define("colour");
    const file = [
      "\uFEFFNumber;Name;description;Where;cost;in_service_date;custom_fields.colour;left_out",
      'A-1;Drill;"with\r\na ""case""";Store;1249.90;2026-01-31;red;x',
      ";;;;;;;",
      "A-2;'=1+1;;;;;;",
    ].join("\r\n");
    const mapping = { Where: "location_id", left_out: "" };
    const record = await run(file, { references: ImportReferences.NAME, mapping });
    expect(statusOf(record)).toBe("done");
    expect(record).toMatchObject({
      counts: { created: 2, updated: 0, unchanged: 0, rejected: 0 },
      progress: { done: 2, total: 2 },
      errors: [],
    });
    expect((await rows(record.id)).map(rowOf)).toEqual([
      [2, "created"],
      [4, "created"],
    ]);
    const [drill, formula] = await assetsOf(workspace);
    expect(drill).toMatchObject({
      ...{ number: "A-1", name: "Drill", description: 'with\r\na "case"', inServiceDate: "2026-01-31" },
      ...{ locationId: store, propertyId: berlin, cost: { minorUnits: 124_990n, currency: "EUR" } },
      customFields: { colour: "red" },
    });
    expect(formula?.name).toBe("=1+1");
    expect(await stored(workspace, "asset_history", { action: "created" })).toHaveLength(2);
    expect((await register.assets.listAssets({}, workspace.admin)).page?.total).toBe(2);
    await eventually(() => {
      expect(register.auditEntries(workspace.id)).toContainEqual(
        expect.objectContaining({ action: "import.started", subjectId: record.id }),
      );
    });
    expect(await stored(workspace, "files")).toEqual([]);
  });

  test("imported a second time changes nothing; rows without a number are refused unless they are allowed", async () => {
    const { workspace, run } = await setUp();
    const file = "number,name\nA-1,Drill\na-2,Saw\n";
    await run(file);
    const again = await run(file, { onExisting: UPDATE });
    expect(again.counts).toMatchObject({ created: 0, updated: 0, unchanged: 2, rejected: 0 });
    expect((await assetsOf(workspace)).map(({ rev }) => rev)).toEqual([1, 1]);

    const unnumbered = "number,name\n,Drill\n";
    expect(statusOf(await run(unnumbered))).toBe("failed");
    const allowed = await run(unnumbered, { allowUnnumbered: true });
    expect(allowed.counts).toMatchObject({ created: 1 });
    expect((await assetsOf(workspace)).map(({ number }) => number)).toContain("AST-000001");
  });

  test.each([
    ["an unknown column", "number,name,shade\n", 'The column "shade" is unknown.'],
    ["no column number", "name\nDrill\n", 'The column "number" is missing'],
    ["nothing in it", "", "The file is empty."],
    ["only a header", "number,name\n", "The file has no rows."],
    ["a quote that is not closed", 'number,name\nA-1,"Drill\nA-2,Saw\n', "A quote in row 2 is not closed."],
    ["UTF-16", Buffer.from("\uFEFFnumber,name\n", "utf16le"), "UTF-16"],
    ["a workbook", Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0]), "workbook"],
  ])("with %s fails with a reason, and nothing is stored", async (_what, file, message) => {
    const { workspace, run } = await setUp();
    const record = await run(file);
    expect(statusOf(record)).toBe("failed");
    expect(record.error).toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining(message),
    });
    expect(await stored(workspace, "assets")).toEqual([]);
    expect(record.finishedAt).toBeDefined();
  });
});

const mixed = Buffer.concat([
  Buffer.from("number,name,cost,location_id,useful_life_months\nA-1,Drill,1,,\nA-2,Saw,12 EUR,,\nA-3,Caf"),
  Buffer.from([0xe9]),
  Buffer.from(",,,\nA-4,Lamp,,loc_none,\na-1,Again,,,\nA-6\nTAKEN,Known,,,\nA-8,,,,\nA-9,Last,,,0\n"),
]);
const mixedRows = [
  [3, "rejected", "cost", "VALIDATION_FAILED"],
  [4, "rejected", "name", "VALIDATION_FAILED"],
  [5, "rejected", "location_id", "NOT_FOUND"],
  [6, "rejected", "number", "VALIDATION_FAILED"],
  [7, "rejected", undefined, "VALIDATION_FAILED"],
  [9, "rejected", "name", "VALIDATION_FAILED"],
  [10, "rejected", "useful_life_months", "VALIDATION_FAILED"],
];

test("all of fourteen unknown columns are named in the reason of the failure", async () => {
  const { run } = await setUp();
  const names = Array.from({ length: 14 }, (_, index) => `unknown ${index}`);
  const record = await run(`number,name,${names.join()}\n`);
  expect(statusOf(record)).toBe("failed");
  for (const name of names) expect(record.error?.message).toContain(`"${name}"`);
});

test("of our export, edited and imported again, the columns without effect are named in the answer", async () => {
  const { workspace, start } = await setUp();
  const category = await makeRecord(register, workspace, { kind: OrganisationKind.CATEGORY, name: "Tools" });
  await makeAsset(register, workspace, { number: "A-1", categoryId: category });
  const parts: Uint8Array[] = [];
  const reports = register.client(ReportService);
  for await (const { content } of reports.exportRegister({}, workspace.admin)) parts.push(content);
  const file = Buffer.concat(parts).toString().replace('"Drill"', '"Saw"').replace('"Tools"', '"Machines"');
  const record = await start(file, { onExisting: UPDATE });
  expect(statusOf(record)).toBe("done");
  expect(record.counts).toMatchObject({ updated: 1 });
  const [asset] = await assetsOf(workspace);
  expect(asset).toMatchObject({ name: "Saw", categoryId: category });
  const ignored = record.ignoredColumns.map(({ column }) => column);
  expect(ignored).toEqual(
    expect.arrayContaining(["id", "category", "status", "tags", "nbv", "disposal_date"]),
  );
  expect(record.ignoredColumns).toContainEqual(
    expect.objectContaining({ column: "category", reason: 'The column "category_id" decides.' }),
  );
});

describe("invalid rows", () => {
  test("of all_or_nothing: nothing is imported, and each row says why", async () => {
    const { workspace, run, rows } = await setUp();
    await makeAsset(register, workspace, { number: "taken" });
    const record = await run(mixed);
    expect(statusOf(record)).toBe("failed");
    expect(record.error?.message).toBe("7 rows are invalid. Nothing was imported.");
    expect((await rows(record.id)).map(rowOf)).toEqual([
      [2, "pending"],
      ...mixedRows.slice(0, 5),
      [8, "pending"],
      ...mixedRows.slice(5),
    ]);
    // The row that lacks cells has no name either.
    expect(record.errors).toHaveLength(8);
    expect(await stored(workspace, "assets")).toHaveLength(1);
  });

  test("of skip_bad: the valid ones are imported, an asset that exists stays as it is", async () => {
    const { workspace, run, rows } = await setUp();
    await makeAsset(register, workspace, { number: "taken" });
    const record = await run(mixed, { mode: SKIP_BAD });
    expect(statusOf(record)).toBe("done_with_errors");
    expect(record.counts).toMatchObject({ created: 1, updated: 0, unchanged: 1, rejected: 7 });
    expect((await rows(record.id)).map(rowOf)).toEqual([
      [2, "created"],
      ...mixedRows.slice(0, 5),
      [8, "unchanged"],
      ...mixedRows.slice(5),
    ]);
    expect((await assetsOf(workspace)).map(({ name }) => name)).toEqual(["Drill", "Drill"]);
  });

  test("of a dry run: it predicts the result and writes no asset, history or number", async () => {
    const { workspace, run, rows } = await setUp();
    await makeAsset(register, workspace, { number: "taken", name: "Old" });
    const record = await run(mixed, { dryRun: true, onExisting: UPDATE });
    expect(statusOf(record)).toBe("done");
    expect(record.counts).toMatchObject({ created: 1, updated: 1, unchanged: 0, rejected: 7 });
    expect((await rows(record.id)).map(rowOf).filter(([, status]) => status !== "rejected")).toEqual([
      [2, "created"],
      [8, "updated"],
    ]);
    expect(await stored(workspace, "assets")).toHaveLength(1);
    expect(await stored(workspace, "asset_history")).toHaveLength(1);
  });
});

test("every problem of a row is named at once, with column, value, line and code", async () => {
  const { workspace, run, rows } = await setUp();
  const fields = customFieldCalls(register, workspace);
  await fields.define("imei", { unique: true });
  await fields.define("weight", { type: CustomFieldType.NUMBER });
  await fields.asset({ imei: "taken" });
  const file = [
    "No.,name,Price,location_id,custom_fields.imei,custom_fields.weight,in_service_date",
    "A-1,,12 EUR,,,,",
    "A-1,,12 EUR,loc_none,taken,heavy,31.01.2026",
    "A-3,Saw,,,free,,",
    "A-4,,,,free,,",
  ].join("\n");
  const mapping = { "No.": "number", Price: "cost" };
  const record = await run(file, { mapping });
  const invalid = "VALIDATION_FAILED";
  const problemsOf = (row: number) =>
    record.errors
      .filter((error) => error.row === row)
      .map(({ field, column, value, code }) => [field, column, value, code])
      .toSorted();
  expect(problemsOf(2)).toEqual([
    ["cost", "Price", "12 EUR", invalid],
    ["name", "name", undefined, invalid],
  ]);
  expect(problemsOf(3)).toEqual([
    ["cost", "Price", "12 EUR", invalid],
    ["custom_fields.imei", "custom_fields.imei", "taken", "CUSTOM_FIELD_VALUE_TAKEN"],
    ["custom_fields.weight", "custom_fields.weight", "heavy", invalid],
    ["in_service_date", "in_service_date", "31.01.2026", invalid],
    ["location_id", "location_id", "loc_none", "NOT_FOUND"],
    ["name", "name", undefined, invalid],
    ["number", "No.", "A-1", invalid],
  ]);
  expect(problemsOf(4)).toEqual([]);
  // A refused row keeps no value from the others, but hears of theirs.
  expect(problemsOf(5)).toEqual([
    ["custom_fields.imei", "custom_fields.imei", "free", "CUSTOM_FIELD_VALUE_TAKEN"],
    ["name", "name", undefined, invalid],
  ]);
  expect((await rows(record.id)).find(({ row }) => row === 3)?.errors).toHaveLength(7);
});

test("a refused row takes no unique value from a later one", async () => {
  const { workspace, run } = await setUp();
  await customFieldCalls(register, workspace).define("imei", { unique: true });
  const file = "number,name,cost,custom_fields.imei\nA-1,Drill,much,1\nA-2,Saw,1,1\n";
  const record = await run(file, { mode: SKIP_BAD });
  expect(record.counts).toMatchObject({ created: 1, rejected: 1 });
});

describe("on_existing update", () => {
  test("sets the values of the row; a change of place is a movement with the reason import; empty cells change nothing", async () => {
    const { workspace, run } = await setUp();
    const store = await makeRecord(register, workspace, { kind: OrganisationKind.LOCATION, name: "Store" });
    const id = await makeAsset(register, workspace, { number: "A-1", model: "X1" });
    const record = await run(`number,name,model,location_id\nA-1,Hammer drill,,${store}\n`, {
      onExisting: UPDATE,
    });
    expect(record.counts).toMatchObject({ updated: 1 });
    const { asset } = await register.assets.getAsset({ id }, workspace.admin);
    expect(asset).toMatchObject({ name: "Hammer drill", model: "X1", locationId: store, rev: 2 });
    expect(await stored(workspace, "movements")).toEqual([
      expect.objectContaining({ assetId: id, reason: "import", toLocationId: store }),
    ]);
  });

  test("refuses what a change of the asset would refuse", async () => {
    const { workspace, run, rows } = await setUp();
    const [holder, other] = await Promise.all(
      ["Ada", "Bob"].map((name) =>
        makeRecord(register, workspace, { kind: OrganisationKind.CUSTODIAN, name }),
      ),
    );
    const id = await makeAsset(register, workspace, { number: "A-1" });
    const to = { issuedToType: IssuedToType.CUSTODIAN, issuedToId: holder! };
    await register.custody.createCheckout({ assetId: id, ...to }, workspace.admin);
    const deleted = await makeAsset(register, workspace, { number: "A-2" });
    await register.assets.deleteAsset({ id: deleted }, workspace.admin);
    const file = `number,name,custodian_id\nA-1,Drill,${other}\nA-2,Drill,\n`;
    const record = await run(file, { onExisting: UPDATE, mode: SKIP_BAD });
    expect((await rows(record.id)).map(rowOf)).toEqual([
      [2, "rejected", "checkout_id", "ASSET_CHECKED_OUT"],
      [3, "rejected", "number", "ASSET_NUMBER_TAKEN"],
    ]);
  });
});

test("unique custom values are compared with other rows of the file and with other assets", async () => {
  const { workspace, run, rows } = await setUp();
  const fields = customFieldCalls(register, workspace);
  await fields.define("imei", { unique: true });
  await fields.asset({ imei: "1" });
  const file = "number,name,custom_fields.imei\nA-1,a,1\nA-2,b,2\nA-3,c,2\nA-4,d,3\n";
  const record = await run(file, { mode: SKIP_BAD });
  expect((await rows(record.id)).map(rowOf)).toEqual([
    [2, "rejected", "custom_fields.imei", "CUSTOM_FIELD_VALUE_TAKEN"],
    [3, "created"],
    [4, "rejected", "custom_fields.imei", "CUSTOM_FIELD_VALUE_TAKEN"],
    [5, "created"],
  ]);
  expect(await stored(workspace, "unique_values")).toHaveLength(3);
});
