import {
  ImportMode,
  ImportOnExisting,
  type ImportOptions,
  ImportReferences,
  ImportService,
  ImportStatus,
} from "@asset-register/proto/assetregister/register/v1/import_pb";
import { implement, upload } from "@asset-register/rpc";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterAll, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const received: { options: ImportOptions; text: string }[] = [];

const gateway = await startGateway({
  implementations: [
    implement(ImportService, {
      startImport: upload(
        (options) => options,
        async (options, content) => {
          let text = "";
          for await (const chunk of content) text += Buffer.from(chunk).toString();
          received.push({ options, text });
          return options;
        },
        (options) => ({
          import: {
            ...{ id: "imp_1", status: ImportStatus.VALIDATING, options },
            ...{ progress: { done: 0, total: 0 }, counts: {}, createdAt: timestampFromMs(0) },
            ignoredColumns: [{ column: "tags", reason: "Only the operations of tags bind and free them." }],
            errors: [
              { row: 3, field: "cost", code: "X", message: "is wrong", column: "Cost", value: "1 EUR" },
            ],
          },
        }),
      ),
      getImport: () => ({}),
      listImportRows: () => ({}),
    }),
  ],
});
const session = gateway.accounts.session("admin");
afterAll(() => gateway?.stop());

async function post(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new Blob(["number,name\nA-1,Drill\n"]), "assets.csv");
  const response = await fetch(`${gateway.url}/asset_manager_api/import/assets`, {
    method: "POST",
    headers: { authorization: `Bearer ${session}` },
    body: form,
  });
  return {
    status: response.status,
    location: response.headers.get("location"),
    body: await response.json(),
  };
}

test("the fields of the form become the options of the import, and the file its content", async () => {
  const answer = await post({
    ...{ dry_run: "true", mode: "skip_bad", on_existing: "update", references: "name" },
    ...{ allow_unnumbered: "true", mapping: JSON.stringify({ "Inv. no.": "number", Remark: null }) },
  });
  expect(answer).toMatchObject({
    status: 202,
    location: "/asset_manager_api/import/assets/imp_1",
    body: {
      ...{ id: "imp_1", status: "validating", dry_run: true, mode: "skip_bad", on_existing: "update" },
      ...{ references: "name", allow_unnumbered: true, finished_at: null, error: null },
      ignored_columns: [{ column: "tags", reason: "Only the operations of tags bind and free them." }],
      errors: [{ row: 3, field: "cost", column: "Cost", value: "1 EUR", code: "X" }],
    },
  });
  expect(received.at(-1)).toMatchObject({
    text: "number,name\nA-1,Drill\n",
    options: {
      ...{ dryRun: true, mode: ImportMode.SKIP_BAD, onExisting: ImportOnExisting.UPDATE },
      ...{ references: ImportReferences.NAME, allowUnnumbered: true },
      mapping: { "Inv. no.": "number", Remark: "" },
    },
  });
});

test.each([
  ["mapping", "{"],
  ["mapping", "[]"],
  ["mapping", '{"a":1}'],
  ["mode", "some"],
  ["dry_run", "yes"],
  ["colour", "red"],
])("the field %s with %j is 422 and named, and nothing is sent on", async (field, value) => {
  const before = received.length;
  const { status, body } = await post({ [field]: value });
  expect({ status, body }).toMatchObject({ status: 422, body: { errors: [{ field }] } });
  expect(received.length).toBe(before);
});
