import { newId } from "@asset-register/runtime";
import { openProfiler } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { createUniqueValueStore } from "../../src/store/assets/unique-values.ts";
import { createCustomFieldStore } from "../../src/store/custom-fields/custom-fields.ts";
import { createImportRowStore } from "../../src/store/imports/import-rows.ts";
import { createOrganisationStore } from "../../src/store/organisation/organisation.ts";
import { startRegister } from "../support.ts";

const register = await startRegister();
const { mongo } = register;
const profiler = await openProfiler(mongo.database);
afterAll(async () => {
  await profiler.close();
  await register.stop();
});

const WORKSPACE = newId("wsp");
/** Rows of each workspace. A look-up may examine few of them. */
const ROWS = 300;

/** Rows of three workspaces, whose ids are mixed. */
async function fill(name: string, fields: (index: number) => object): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, index) =>
    [WORKSPACE, newId("wsp"), newId("wsp")].map((workspaceId, other) => ({
      ...{ _id: `${name}_${String(index).padStart(4, "0")}${other}`, workspaceId },
      ...fields(index),
    })),
  );
  await mongo.collection<{ _id: string; workspaceId: string }>(name).insertMany(rows.flat());
}

await fill("unique_values", (index) => ({
  ...{ fieldId: `cfd_${index % 10}`, assetId: `ast_${index}`, valueKey: `value ${index}` },
  generation: index % 100,
}));
await fill("custom_fields", (index) => ({
  ...{ key: `key_${index}`, deleted: index % 30 > 0, categoryIds: [`cat_${index}`], position: index },
}));
await fill("import_rows", (index) => ({
  ...{ importId: `imp_${index % 5}`, row: index, keys: [`n:${index}`] },
  ...{ status: index % 50 < 5 ? "pending" : "created", problems: [] },
}));
await fill("organisation", (index) => ({
  ...{ kind: "location", name: `Store ${index}`, code: `S-${index}`, deleted: false },
}));

const fields = createCustomFieldStore(mongo);
const values = createUniqueValueStore(mongo);
const rows = createImportRowStore(mongo);
const organisation = createOrganisationStore(mongo);
const wanted = [
  { fieldId: "cfd_1", valueKey: "value 1" },
  { fieldId: "cfd_2", valueKey: "value 2" },
];

const lookUps: [string, string, string, () => Promise<unknown>][] = [
  [
    "the owners of unique values",
    "unique_values",
    "valueKey",
    () => values.ownersOfValues(WORKSPACE, wanted),
  ],
  [
    "rows of an older indexing",
    "unique_values",
    "generation",
    () => values.removeOlder(WORKSPACE, "cfd_0", 1, 3),
  ],
  ["the custom fields of a workspace", "custom_fields", "deleted", () => fields.getAll(WORKSPACE)],
  ["the next rows of an import", "import_rows", "status", () => rows.listPending(WORKSPACE, "imp_1", 0, 3)],
  [
    "rows with the same number",
    "import_rows",
    "keys",
    () => rows.rowsWithKeys(WORKSPACE, "imp_1", ["n:1", "n:6"]),
  ],
  [
    "rows of an import by status",
    "import_rows",
    "status",
    () => rows.list(WORKSPACE, "imp_1", "created", { page: 1, limit: 5 }),
  ],
  [
    "records by name",
    "organisation",
    "name",
    () => organisation.findByText(WORKSPACE, "name", new Set(["Store 7"])),
  ],
  [
    "records by code",
    "organisation",
    "code",
    () => organisation.findByText(WORKSPACE, "code", new Set(["S-7"])),
  ],
];

test.each(lookUps)("%s are found by an index", async (_what, collection, key, run) => {
  const operations = await profiler.operationsOf(collection, run);
  expect(operations.length).toBeGreaterThan(0);
  for (const { planSummary, docsExamined, hasSortStage } of operations) {
    expect(planSummary).toContain(`${key}: 1`);
    expect({ planSummary, few: docsExamined <= 15, sorts: hasSortStage ?? false }).toEqual({
      ...{ planSummary, few: true },
      // The fields of a workspace are at most 100.
      sorts: hasSortStage === true && collection === "custom_fields",
    });
  }
});
