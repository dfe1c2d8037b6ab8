import { expect } from "vitest";
import type { Fixture } from "./fixture.ts";
import { authorisedRequest } from "./requests.ts";
import type { Route } from "./routes.ts";
import type { Row } from "./rows.ts";
import type { HttpResponse } from "./send.ts";

/** Tests of `expand`: it only adds, and the services know the names of the records. */
export function expandRows(route: Route): Row[] {
  const values = route.query.properties?.expand?.items?.enum;
  if (values === undefined) return [];
  return [
    {
      name: `?expand=${values.join()} adds the names beside the ids and changes nothing else`,
      async run(fixture) {
        const before = await read(fixture, route);
        const expanded = await read(fixture, route, values.join());
        const after = await read(fixture, route);
        expect(expanded.status, expanded.text).toBe(200);
        // Observed fields, such as the last use of a key, may change meanwhile.
        const rest = withoutAdded(expanded.body, before.body);
        expect([before.body, after.body]).toContainEqual(rest);
        expect(wrongNames(expanded.body)).toEqual([]);
      },
    },
    {
      name: "an unknown value of ?expand gets 422, and the parameter is named",
      async run(fixture) {
        const refused = { code: "VALIDATION_FAILED", errors: [{ field: "expand" }] };
        expect(await read(fixture, route, "unknown")).toMatchObject({ status: 422, body: refused });
      },
    },
  ];
}

async function read(fixture: Fixture, route: Route, expand?: string): Promise<HttpResponse> {
  const request = await authorisedRequest(fixture, route, { useSharedRecords: true });
  const separator = request.path.includes("?") ? "&" : "?";
  const path = expand === undefined ? request.path : `${request.path}${separator}expand=${expand}`;
  return fixture.send(route, { ...request, path });
}

/** A response with only the properties that the plain one has. */
function withoutAdded(expanded: unknown, plain: unknown): unknown {
  if (Array.isArray(expanded) && Array.isArray(plain)) {
    return expanded.map((item, index) => withoutAdded(item, plain[index]));
  }
  if (!isObject(expanded) || !isObject(plain)) return expanded;
  const kept = Object.entries(expanded).filter(([name]) => name in plain);
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutAdded(value, plain[name])]));
}

/** Ids of other records have no name, for example those of sessions in the audit log. */
const NAMED = /^(loc|prp|bld|flr|cus|cat|sta|dep|ast|usr|key|zon|rdr)_/;

/** The ids, in properties with an object beside them, whose object is not of that id or has no name. */
function wrongNames(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(wrongNames);
  if (!isObject(value)) return [];
  const wrong = Object.entries(value).filter(([name, id]) => {
    const target = name.slice(0, -"_id".length);
    if (typeof id !== "string" || !NAMED.test(id) || !name.endsWith("_id") || !(target in value))
      return false;
    const record = value[target];
    return !isObject(record) || record.id !== id || typeof record.name !== "string";
  });
  return [...wrong, ...Object.values(value).flatMap(wrongNames)];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
