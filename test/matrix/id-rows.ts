import { expect } from "vitest";
import { type Answer, fieldsOf, untold } from "./answers.ts";
import { type Draft, isWrite, parametersOf, strongestRequest, unknownId } from "./requests.ts";
import type { Route } from "./routes.ts";
import type { Row } from "./rows.ts";
import { isScalar, type JsonSchema, kindOf, places } from "./schema.ts";
import { teachings } from "./teachings.ts";
import type { World } from "./world.ts";

/** An id of another workspace is an unknown one, wherever a request names it. */
export function idRows(route: Route): Row[] {
  return [...pathRows(route), ...bodyRows(route), ...filterRows(route)];
}

function pathRows(route: Route): Row[] {
  return parametersOf(route).map(({ name, kind }) => ({
    name: `:${name} of another workspace: 404, and nothing changes there`,
    async run(world) {
      const foreign = await askOf(world, route, { params: { [name]: await world.theirs.shared(kind) } });
      expect(foreign).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
      const unknown = await askOf(world, route, { params: { [name]: unknownId(kind) } });
      expect(untold(foreign)).toEqual(untold(unknown));
      if (isWrite(route)) await world.expectTheirsUnchanged();
    },
  }));
}

function bodyRows(route: Route): Row[] {
  const named = places(route.body ?? {}).flatMap((place) =>
    namedBy(route, place.path, place.schema).map((each) => ({ ...each, ...place })),
  );
  return named.map(({ kind, with: rest, name, path, place }) => {
    const { status, code } = teachings[route.name]?.foreign?.[path] ?? { status: 404, code: "NOT_FOUND" };
    return {
      name: `${name} of another workspace: ${status}, and nothing changes there`,
      async run(world) {
        const bodyWith = (id: string) => ({ body: { ...(place(id) as object), ...rest } });
        const foreign = await askOf(world, route, bodyWith(await world.theirs.shared(kind)));
        expect({ status: foreign.status, code: foreign.body?.code }, foreign.text).toEqual({ status, code });
        if (status === 404) expect(fieldsOf(foreign)).toContain(path);
        const unknown = await askOf(world, route, bodyWith(unknownId(kind)));
        expect(untold(foreign)).toEqual(untold(unknown));
        await world.expectTheirsUnchanged();
      },
    };
  });
}

function filterRows(route: Route): Row[] {
  const named = Object.entries(route.query.properties ?? {}).flatMap(([parameter, schema]) =>
    namedBy(route, parameter, schema).map((each) => ({ ...each, parameter })),
  );
  return named.map(({ kind, name, parameter }) => ({
    name: `?${name} of another workspace: nothing is found`,
    async run(world) {
      expect(await listed(world, route, "")).not.toEqual([]);
      expect(await listed(world, route, `?${parameter}=${await world.theirs.shared(kind)}`)).toEqual([]);
      expect(await listed(world, route, `?${parameter}=${unknownId(kind)}`)).toEqual([]);
    },
  }));
}

async function listed(world: World, route: Route, query: string): Promise<unknown> {
  const { status, body, text } = await askOf(world, route, {}, query);
  expect(status, text).toBe(200);
  return (body as { data?: unknown } | undefined)?.data;
}

type Named = { kind: string; with: object; name: string };

/** The kinds of record that a field names. One that is called an id has to be known, or known to name nothing. */
function namedBy(route: Route, path: string, schema: JsonSchema): Named[] {
  const { kinds, noReferences } = teachings[route.name] ?? {};
  const taught = kinds?.[path];
  if (taught !== undefined) return taught.map((each) => ({ ...each, name: `${path} (${each.kind})` }));
  const kind = kindOf(schema);
  if (kind !== undefined) return [{ kind, with: {}, name: path }];
  if (isScalar(schema) && /(^|_)ids?(\.0)?$/.test(path) && !noReferences?.includes(path)) {
    throw new Error(`${route.name}: which record ${path} names: say it in its schema, or in teachings.ts`);
  }
  return [];
}

/** Asks for records that others use too: for what changes nothing. */
async function askOf(world: World, route: Route, draft: Draft, query = ""): Promise<Answer> {
  const sent = await strongestRequest(world, route, { ...draft, reused: true });
  return world.ask(route, { ...sent, path: sent.path + query });
}
