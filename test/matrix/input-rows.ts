import { expect } from "vitest";
import type { Fixture } from "./fixture.ts";
import { isForm } from "./form.ts";
import { bearer, parametersOf, requestForUnknownRecords, withHeaders } from "./requests.ts";
import { routeOverrides } from "./route-overrides.ts";
import type { Route } from "./routes.ts";
import { type Row, when } from "./rows.ts";
import { type BodyPath, bodyPaths, isObject } from "./schema.ts";
import { fieldsOf, type HttpRequest, type HttpResponse } from "./send.ts";

const OPERATOR = { $ne: 1 };
const OVER_1_MIB = JSON.stringify({ name: "x".repeat(1_048_577) });

/** Tests that invalid input is refused, and that the error names the field. */
export function inputRows(route: Route): Row[] {
  return [...fieldRows(route), queryRow(route), ...bodyRows(route)];
}

function fieldRows(route: Route): Row[] {
  if (route.body === undefined) return [];
  const all = bodyPaths(route.body);
  // Of WebAuthn, whose members differ between browsers, the unknown ones are ignored.
  const objects = all.filter(({ schema }) => isObject(schema) && schema.additionalProperties !== true);
  // In a form, an operator is a text like any other.
  const isText = ({ path, schema }: BodyPath) =>
    isForm(route.body) && path !== "file" && schema.type === "string" && schema.enum === undefined;
  const others = all.filter((bodyPath) => !isObject(bodyPath.schema) && !isText(bodyPath));
  const requestWith =
    ({ bodyWith }: BodyPath, value: unknown) =>
    (params?: Record<string, string>) =>
      requestForUnknownRecords(route, { body: bodyWith(value), ...(params && { params }) });
  return [
    refusedRow("an unknown field gets 422 and is named", route, () =>
      objects.map((bodyPath) => {
        // A schema with patterns refuses only names that match none: keys of custom fields have no capitals.
        const name = bodyPath.schema.patternProperties === undefined ? "unexpected" : "Unexpected";
        return {
          field: [bodyPath.path, name].filter(Boolean).join("."),
          request: requestWith(bodyPath, { [name]: 1 }),
        };
      }),
    ),
    ...when(
      others.length > 0,
      refusedRow("a MongoDB operator instead of a value gets 422 and its field is named", route, () =>
        others.map((bodyPath) => ({ field: bodyPath.path, request: requestWith(bodyPath, OPERATOR) })),
      ),
    ),
  ];
}

function queryRow(route: Route): Row {
  const operators = Object.keys(route.query.properties ?? {}).map((name) => `${name}[$ne]`);
  return refusedRow("an unknown query parameter or an operator in one gets 422 and is named", route, () =>
    ["unexpected", ...operators].map((field) => {
      const request = requestForUnknownRecords(route);
      const path = `${request.path}?${encodeURIComponent(field)}=1`;
      return { field, request: () => ({ ...request, path }) };
    }),
  );
}

type RefusedCase = { field: string; request(params?: Record<string, string>): HttpRequest };

/** Sends all requests at once. Each error must name its field. */
function refusedRow(name: string, route: Route, cases: () => RefusedCase[]): Row {
  return {
    name,
    async run(fixture) {
      const checks = cases().map(async ({ field, request: make }) => {
        const request = make(isItem(route, field) ? await sharedParams(fixture, route) : undefined);
        const response = await sendAuthorised(fixture, route, request);
        const description = `${request.path} ${request.body} returned ${response.text}`;
        expectRefused(route, field, response, description);
      });
      expect(checks).not.toEqual([]);
      await Promise.all(checks);
    },
  };
}

function expectRefused(route: Route, field: string, response: HttpResponse, description: string): void {
  const { perItemResults } = routeOverrides[route.name] ?? {};
  if (perItemResults !== undefined && isItem(route, field)) {
    const { status, code } = perItemResults;
    const results = [{ status: "rejected", code: expect.stringMatching(code) }];
    expect(response, description).toMatchObject({ status, body: { results } });
    return;
  }
  expect(response, description).toMatchObject({ status: 422, body: { code: "VALIDATION_FAILED" } });
  expect(fieldsOf(response), description).toContain(field);
}

/** Whether a field is in an item that is refused individually. */
function isItem({ name }: Route, field: string): boolean {
  const { perItemResults } = routeOverrides[name] ?? {};
  return perItemResults !== undefined && field.startsWith(perItemResults.path);
}

/** Items are refused only in a request whose record exists. */
async function sharedParams({ ours }: Fixture, route: Route): Promise<Record<string, string>> {
  const ids = parametersOf(route).map(async ({ name, kind }) => [name, await ours.shared(kind)]);
  return Object.fromEntries(await Promise.all(ids));
}

function bodyRows(route: Route): Row[] {
  if (route.body === undefined) return [];
  const { largeBody = false } = routeOverrides[route.name] ?? {};
  const refusedBodyRow = (
    name: string,
    status: number,
    code: string,
    body: string,
    type = "application/json",
  ): Row => ({
    name: `${name} gets ${status}`,
    async run(fixture) {
      const request = { ...requestForUnknownRecords(route), body, headers: { "content-type": type } };
      expect(await sendAuthorised(fixture, route, request)).toMatchObject({ status, body: { code } });
    },
  });
  return [
    ...when(!largeBody, refusedBodyRow("a body over 1 MiB", 413, "PAYLOAD_TOO_LARGE", OVER_1_MIB)),
    refusedBodyRow("another content type", 415, "UNSUPPORTED_MEDIA_TYPE", "name=x", "text/plain"),
    refusedBodyRow("a body that is not JSON", 400, "MALFORMED", '{"name":'),
  ];
}

/** Sends a request as a caller with every right. */
async function sendAuthorised(
  { ours: factory, callers, send }: Fixture,
  route: Route,
  request: HttpRequest,
): Promise<HttpResponse> {
  const caller = await callers.withAllRights(route);
  const context = { factory, caller, callers };
  const signature = await routeOverrides[route.name]?.headers?.(request.body ?? "", context);
  const headers = { ...bearer(caller.credential), ...signature, ...request.headers };
  return send(route, withHeaders(request, headers));
}
