import { expect } from "vitest";
import type { Fixture } from "./fixture.ts";
import { authorisedRequest, isWrite, parametersOf, type RequestOptions, unknownId } from "./requests.ts";
import { routeOverrides } from "./route-overrides.ts";
import type { Route } from "./routes.ts";
import { type Row, when } from "./rows.ts";
import { bodyPaths, isScalar, type JsonSchema, kindOf } from "./schema.ts";
import { comparable, fieldsOf, type HttpResponse } from "./send.ts";

/** Tests that an id of another workspace is treated as an unknown id, in paths, bodies and filters. */
export function idRows(route: Route): Row[] {
  const inWrites = [...pathRows(route), ...bodyRows(route)];
  return [...inWrites, ...when(isWrite(route) && inWrites.length > 0, unchangedRow), ...filterRows(route)];
}

/** After the rows above. One comparison a route: it reads all collections of the platform. */
const unchangedRow: Row = {
  name: "the requests with ids of another workspace have changed nothing there",
  run: (fixture) => fixture.expectTheirsUnchanged(),
};

function pathRows(route: Route): Row[] {
  return parametersOf(route).map(({ name, kind }) => ({
    name: `:${name} of another workspace gets 404`,
    async run(fixture) {
      const params = { [name]: await fixture.theirs.shared(kind) };
      const foreign = await sendWithSharedRecords(fixture, route, { params });
      expect(foreign).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
      const unknown = await sendWithSharedRecords(fixture, route, { params: { [name]: unknownId(kind) } });
      expect(comparable(foreign)).toEqual(comparable(unknown));
    },
  }));
}

function bodyRows(route: Route): Row[] {
  const references = bodyPaths(route.body ?? {}).flatMap((bodyPath) =>
    referencesOf(route, bodyPath.path, bodyPath.schema).map((reference) => ({ ...reference, ...bodyPath })),
  );
  return references.map(({ kind, with: otherFields, name, path, bodyWith }) => {
    const expected = routeOverrides[route.name]?.foreignResponse?.[path];
    const { status, code } = expected ?? { status: 404, code: "NOT_FOUND" };
    return {
      name: `${name} of another workspace gets ${status}`,
      async run(fixture) {
        const options = (id: string) => ({ body: { ...(bodyWith(id) as object), ...otherFields } });
        const foreignId = await fixture.theirs.shared(kind);
        const foreign = await sendWithSharedRecords(fixture, route, options(foreignId));
        expect({ status: foreign.status, code: foreign.body?.code }, foreign.text).toEqual({ status, code });
        if (status === 404) expect(fieldsOf(foreign)).toContain(path);
        const unknown = await sendWithSharedRecords(fixture, route, options(unknownId(kind)));
        expect(comparable(foreign)).toEqual(comparable(unknown));
      },
    };
  });
}

function filterRows(route: Route): Row[] {
  const references = Object.entries(route.query.properties ?? {}).flatMap(([parameter, schema]) =>
    referencesOf(route, parameter, schema).map((reference) => ({ ...reference, parameter })),
  );
  const isRequired = ({ parameter }: { parameter: string }) => route.query.required?.includes(parameter);
  const required = references.filter(isRequired).map(({ kind, name, parameter }) => ({
    name: `the required ?${name} of another workspace is 404`,
    async run(fixture: Fixture) {
      for (const id of [await fixture.theirs.shared(kind), unknownId(kind)]) {
        const { status } = await sendWithSharedRecords(fixture, route, {}, `?${parameter}=${id}`);
        expect(status).toBe(404);
      }
    },
  }));
  const filters = references.filter((reference) => !isRequired(reference));
  const others = filters.map(({ kind, name, parameter }) => ({
    name: `the filter ?${name} of another workspace finds nothing`,
    async run(fixture: Fixture) {
      const foreignId = await fixture.theirs.shared(kind);
      expect(await list(fixture, route, "")).not.toEqual([]);
      expect(await list(fixture, route, `?${parameter}=${foreignId}`)).toEqual([]);
      expect(await list(fixture, route, `?${parameter}=${unknownId(kind)}`)).toEqual([]);
    },
  }));
  return [...required, ...others];
}

async function list(fixture: Fixture, route: Route, query: string): Promise<unknown> {
  const response = await sendWithSharedRecords(fixture, route, {}, query);
  const { status, body, text } = response;
  expect(status, text).toBe(200);
  const found = routeOverrides[route.name]?.found;
  return found ? found(response) : (body as { data?: unknown } | undefined)?.data;
}

/** A field that names a record of this kind, and the other fields that this needs. */
type Reference = { kind: string; with: object; name: string };

/**
 * The kinds of record that a field can name.
 * @throws Error if a field is called an id and neither its schema nor route-overrides.ts has its kind
 */
function referencesOf(route: Route, path: string, schema: JsonSchema): Reference[] {
  const { referencedKinds, notReferences } = routeOverrides[route.name] ?? {};
  if (notReferences?.includes(path)) return [];
  const kinds = referencedKinds?.[path];
  if (kinds !== undefined) return kinds.map((each) => ({ ...each, name: `${path} (${each.kind})` }));
  const kind = kindOf(schema);
  if (kind !== undefined) return [{ kind, with: {}, name: path }];
  if (isScalar(schema) && /(^|_)ids?(\.0)?$/.test(path)) {
    throw new Error(
      `${route.name}: the kind of record that ${path} names is unknown: add an example id to its schema, or an entry to route-overrides.ts`,
    );
  }
  return [];
}

/** Sends a request that uses shared records, because it must not change anything. */
async function sendWithSharedRecords(
  fixture: Fixture,
  route: Route,
  options: RequestOptions,
  query = "",
): Promise<HttpResponse> {
  const request = await authorisedRequest(fixture, route, { ...options, useSharedRecords: true });
  return fixture.send(route, {
    ...request,
    path: query === "" ? request.path : `${request.path.split("?")[0]}${query}`,
  });
}
