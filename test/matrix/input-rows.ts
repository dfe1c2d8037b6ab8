import { expect } from "vitest";
import { type Answer, fieldsOf, type Sent } from "./answers.ts";
import { anyRequest, bearer, withHeaders } from "./requests.ts";
import type { Route } from "./routes.ts";
import { type Row, when } from "./rows.ts";
import { isObject, type Place, places } from "./schema.ts";
import { teachings } from "./teachings.ts";
import type { World } from "./world.ts";

const OPERATOR = { $ne: 1 };
const OVER_1_MIB = JSON.stringify({ name: "x".repeat(1_048_577) });

/** What can't be taken is refused, with its name where it has one. */
export function inputRows(route: Route): Row[] {
  return [...fieldRows(route), queryRow(route), ...bodyRows(route)];
}

function fieldRows(route: Route): Row[] {
  if (route.body === undefined) return [];
  const all = places(route.body);
  const objects = all.filter(({ schema }) => isObject(schema));
  const others = all.filter(({ schema }) => !isObject(schema));
  const sent = ({ place }: Place, value: unknown) => anyRequest(route, { body: place(value) });
  return [
    refusedRow("an unknown field: 422, named", route, () =>
      objects.map((place) => ({
        field: [place.path, "unexpected"].filter(Boolean).join("."),
        sent: sent(place, { unexpected: 1 }),
      })),
    ),
    ...when(
      others.length > 0,
      refusedRow("an operator in place of a value: 422, named", route, () =>
        others.map((place) => ({ field: place.path, sent: sent(place, OPERATOR) })),
      ),
    ),
  ];
}

function queryRow(route: Route): Row {
  const operators = Object.keys(route.query.properties ?? {}).map((name) => `${name}[$ne]`);
  return refusedRow("an unknown parameter, an operator in place of one: 422, named", route, () =>
    ["unexpected", ...operators].map((field) => {
      const sent = anyRequest(route);
      return { field, sent: { ...sent, path: `${sent.path}?${encodeURIComponent(field)}=1` } };
    }),
  );
}

/** Asks for all of them at once; each refusal names its field. */
function refusedRow(name: string, route: Route, cases: () => { field: string; sent: Sent }[]): Row {
  return {
    name,
    async run(world) {
      const asked = cases().map(async ({ field, sent }) => {
        const answer = await ask(world, route, sent);
        const told = `${sent.path} ${sent.body} answered ${answer.text}`;
        expectRefused(route, field, answer, told);
      });
      expect(asked).not.toEqual([]);
      await Promise.all(asked);
    },
  };
}

function expectRefused(route: Route, field: string, answer: Answer, told: string): void {
  const { eachByItself } = teachings[route.name] ?? {};
  if (eachByItself !== undefined && field.startsWith(eachByItself)) {
    const results = [{ status: "rejected", code: "VALIDATION_FAILED" }];
    expect(answer, told).toMatchObject({ status: 202, body: { results } });
    return;
  }
  expect(answer, told).toMatchObject({ status: 422, body: { code: "VALIDATION_FAILED" } });
  expect(fieldsOf(answer), told).toContain(field);
}

function bodyRows(route: Route): Row[] {
  if (route.body === undefined) return [];
  const refused = (
    name: string,
    status: number,
    code: string,
    body: string,
    type = "application/json",
  ): Row => ({
    name: `${name}: ${status}`,
    async run(world) {
      const sent = { ...anyRequest(route), body, headers: { "content-type": type } };
      expect(await ask(world, route, sent)).toMatchObject({ status, body: { code } });
    },
  });
  return [
    refused("a body over 1 MiB", 413, "PAYLOAD_TOO_LARGE", OVER_1_MIB),
    refused("another content type", 415, "UNSUPPORTED_MEDIA_TYPE", "name=x", "text/plain"),
    refused("no JSON", 400, "MALFORMED", '{"name":'),
  ];
}

/** Asks as somebody who may. */
async function ask({ ours: maker, callers, ask }: World, route: Route, sent: Sent): Promise<Answer> {
  const caller = await callers.strongest(route);
  const signature = await teachings[route.name]?.headers?.(sent.body ?? "", { maker, caller, callers });
  return ask(route, withHeaders(sent, { ...bearer(caller.credential), ...signature, ...sent.headers }));
}
