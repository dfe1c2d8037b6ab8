import { afterAll, expect, test } from "vitest";
import type { Parameter } from "../../src/openapi/types.ts";
import { fetchDocument, operationsOf } from "../documents.ts";
import { startGateway } from "../gateway.ts";

/** Values of `expand` that clients rely on. A route may get more. */
const rows = `
GET /devices                           | user
GET /audit-log                         | location custodian category status department asset user zone reader
GET /api-keys                          | user
GET /api-keys/{id}                     | user
GET /assets                            | location custodian category status department asset user zone reader thumbnail
GET /assets/{id}                       | location custodian category status department asset user zone reader
GET /assets/{id}/history               | location custodian category status department asset user zone reader
GET /import/assets/{id}                | user
GET /import/assets/{id}/rows           | asset
GET /movements                         | location custodian asset user
GET /movements/{id}                    | location custodian asset user
GET /assets/{id}/movements             | location custodian asset user
GET /checkouts                         | location custodian department asset
GET /checkouts/{id}                    | location custodian department asset
GET /assets/{id}/checkouts             | location custodian department asset
GET /locations                         | location
GET /locations/{id}                    | location
GET /categories                        | category
GET /categories/{id}                   | category
GET /custodians                        | department user
GET /custodians/{id}                   | department user
GET /departments                       | department
GET /departments/{id}                  | department
GET /custom-fields                     | category
GET /custom-fields/{id}                | category
GET /readers                           | location zone
GET /readers/{id}                      | location zone
GET /zones                             | location reader
GET /zones/{id}                        | location reader
GET /zones/{id}/presence               | asset reader
GET /assets/{id}/sightings             | location zone reader
GET /tags/{id}/reads                   | asset reader
GET /readers/{id}/reads                | asset reader
GET /tags                              | asset
GET /tags/{id}                         | asset
GET /assets/lookup                     | location custodian category status department asset user zone reader
GET /alert-rules                       | location category status asset zone
GET /alert-rules/{id}                  | location category status asset zone
GET /alerts                            | asset user zone reader
GET /alerts/{id}                       | asset user zone reader
GET /notices                           | asset reader
GET /stocktake/sessions                | location category department user
GET /stocktake/sessions/{id}           | location category department user
GET /stocktake/sessions/{id}/expected  | location custodian status asset
GET /stocktake/sessions/{id}/scans     | location
GET /stocktake/sessions/{id}/variances | location asset user
GET /stocktake/variances/{id}          | location asset user
GET /reports/variance/{sessionId}      | location category department asset user
GET /work-orders                       | asset user
GET /assets/{id}/work-orders           | asset user
GET /work-orders/{id}                  | asset user
GET /contracts                         | asset user
GET /contracts/expiring                | asset user
GET /contracts/{id}                    | asset user
GET /pm-schedules                      | category asset user
GET /pm-schedules/{id}                 | category asset user
GET /pm-schedules/{id}/due             | asset
GET /maintenance/due                   | asset
GET /calibrations/due                  | asset
GET /assets/{id}/calibrations          | asset user
GET /calibrations/{id}                 | asset user
GET /assets/{id}/meter-readings        | asset user
GET /meter-readings/{id}               | asset user
GET /assets/{id}/attachments           | asset user
GET /assets/{id}/depr-profiles         | asset user
GET /depr-profiles/{id}                | asset user
GET /depreciation/disposals            | category asset
GET /depreciation/runs                 | category asset user
GET /depreciation/runs/{id}            | category asset user
GET /depreciation/runs/{id}/lines      | asset
GET /assets/{id}/depreciation          | category asset user
GET /reports/depreciation              | category
`
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()));

const gateway = await startGateway();
afterAll(() => gateway.stop());

/** The parameter in the document, by route. */
async function documented(): Promise<Map<string, Parameter>> {
  const document = await fetchDocument(gateway.url, "surface-b");
  return new Map(
    operationsOf(document).flatMap(({ method, path, operation: { parameters = [] } }) => {
      const expand = parameters.find((one) => "name" in one && one.name === "expand");
      return expand !== undefined && "schema" in expand ? [[`${method} ${path}`, expand] as const] : [];
    }),
  );
}

test("the document lists the values of expand for each route, and none of these is missing", async () => {
  const parameters = await documented();
  const missing = rows.flatMap(([route = "", row = ""]) =>
    row
      .split(" ")
      .flatMap((value) =>
        parameters.get(route)?.schema.items?.enum?.includes(value) ? [] : [`${route} ${value}`],
      ),
  );
  expect(rows.length).toBeGreaterThan(60);
  expect(missing).toEqual([]);
});

test("the document says that values are separated by commas", async () => {
  const parameter = (await documented()).get("GET /checkouts");
  expect(parameter).toMatchObject({ required: false, style: "form", explode: false });
  expect(Object.keys(parameter?.schema ?? {}).sort()).toEqual(["items", "minItems", "type"]);
});
