import { isId } from "@asset-register/runtime";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, describe, expect, test } from "vitest";
import type { Document, Media } from "../src/openapi/types.ts";
import { fetchDocument, operationsOf } from "./documents.ts";
import { startGateway } from "./gateway.ts";

let documents: { a: Document; b: Document };

const gateway = await startGateway();
documents = {
  a: await fetchDocument(gateway.url, "surface-a"),
  b: await fetchDocument(gateway.url, "surface-b"),
};
afterAll(() => gateway.stop());

const RULES = {
  // The repository has no licence that a document could name.
  "info-license": "off",
  // A redirect is a success too: the test below counts it.
  "operation-2xx-response": "off",
} as const;

/** Ambiguous with paths such as /alert-rules/{id}/rotate-secret; but no rule has the id "backtests" (site.md). */
const UNAMBIGUOUS = "#/paths/~1alert-rules~1backtests~1{id}";

describe.each(["a", "b"] as const)("surface %s", (surface) => {
  test("the document passes Redocly's rules recommended-strict", async () => {
    const config = await createConfig({ extends: ["recommended-strict"], rules: RULES });
    const source = JSON.stringify(documents[surface]);
    const problems = await lintFromString({ source, absoluteRef: `/${surface}.json`, config });
    const found = problems.map(({ ruleId, message, location }) => ({
      ...{ ruleId, message, at: location[0]?.pointer },
    }));
    expect(found.filter(({ ruleId, at }) => ruleId !== "no-ambiguous-paths" || at !== UNAMBIGUOUS)).toEqual(
      [],
    );
  });

  test("every operation has a unique id, one tag, a success response and examples", () => {
    const operations = operationsOf(documents[surface]);
    expect(operations.length).toBeGreaterThan(15);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const { method, path, operation } of operations) {
      const successes = Object.entries(operation.responses).filter(([status]) => /^2|302/.test(status));
      expect(successes.length, `${method} ${path} has no success`).toBeGreaterThan(0);
      expect(operation.tags).toHaveLength(1);
      for (const media of [operation.requestBody, ...successes.map(([, response]) => response)].flatMap(
        mediaOf,
      )) {
        expect(media.example ?? media.examples, `${method} ${path} has no example`).toBeDefined();
      }
    }
  });
});

/** A program that sends an empty id by mistake must not receive all records. */
test.each(["a", "b"] as const)("every text filter of surface %s refuses the empty text", (surface) => {
  const filters = operationsOf(documents[surface]).flatMap(({ path, operation: { parameters = [] } }) =>
    parameters.flatMap((parameter) =>
      "schema" in parameter && parameter.in === "query" ? [{ path, ...parameter }] : [],
    ),
  );
  const texts = filters.filter(({ schema: { type, enum: values, format } }) => {
    return type === "string" && values === undefined && format === undefined;
  });
  const checked = texts.filter(({ name }) => !MAY_BE_EMPTY.has(name));
  expect(checked.length).toBeGreaterThan(0);
  expect(checked.filter(({ schema }) => !(Number(schema.minLength) >= 1))).toEqual([]);
});

/** Parameters whose empty value has a meaning: no search, and the first page. */
const MAY_BE_EMPTY = new Set(["q", "cursor"]);

/** A copied example should be answered with 404, not with an error about the form of the id. */
test.each(["a", "b"] as const)("every id in the examples of surface %s is a valid TypeID", (surface) => {
  const ids = [...JSON.stringify(documents[surface]).matchAll(/\b(?!evt_)([a-z]{2,3})_[0-9a-z]{16,}/g)];
  expect(new Set(ids.map(([, prefix]) => prefix)).size).toBeGreaterThan(8);
  expect(ids.filter(([id, prefix = ""]) => !isId(prefix, id))).toEqual([]);
  expect(badIds(documents[surface])).toEqual([]);
});

/** Fields that a record has only in some states, as the rules of the services have it. */
const ONLY_WITH: readonly { field: string; when: (record: Record<string, unknown>) => boolean }[] = [
  { field: "returned_at", when: ({ status }) => status === "returned" },
  { field: "cancelled_at", when: ({ status }) => status === "cancelled" },
  { field: "completed_at", when: ({ status }) => status === "completed" },
  { field: "ended_reason", when: ({ status }) => status === "ended" },
  { field: "closed_at", when: ({ status }) => status === "closed" },
  { field: "posted_at", when: ({ status }) => status === "posted" },
  { field: "acknowledged_at", when: ({ status }) => status === "acknowledged" },
  { field: "resolved_at", when: ({ status }) => status === "resolved" },
  { field: "code", when: ({ index, status }) => index === undefined || status === "rejected" },
  {
    field: "category_id",
    when: ({ pm_schedule_id, asset_id, basis }) => !(basis && asset_id) || pm_schedule_id !== undefined,
  },
  { field: "rate", when: ({ factor }) => factor === undefined || factor === null },
  { field: "macrs_class", when: ({ method }) => method === "macrs" },
  { field: "revoked_at", when: ({ status }) => status === undefined || status === "revoked" },
];

/** A generated client's mock, or a reader of the documents, learns the rules from the examples. */
test.each(["a", "b"] as const)("no example of surface %s is impossible", (surface) => {
  const examples = operationsOf(documents[surface]).flatMap(({ method, path, operation }) =>
    [operation.requestBody, ...Object.values(operation.responses)]
      .flatMap(mediaOf)
      .flatMap(({ example }) => recordsIn(example).map((record) => ({ at: `${method} ${path}`, record }))),
  );
  expect(examples.length).toBeGreaterThan(50);
  const impossible = examples.flatMap(({ at, record }) =>
    ONLY_WITH.filter(({ field, when }) => (record[field] ?? null) !== null && !when(record)).map(
      ({ field }) => `${at}: ${field}`,
    ),
  );
  expect(impossible).toEqual([]);
});

/** All objects in a value. */
function recordsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(recordsIn);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
}

/** A client that created something, or that waits for long work, reads the record at this address. */
test.each(["a", "b"] as const)(
  "every 201 and 202 of surface %s has a Location, but for those of readers",
  (surface) => {
    const missing = operationsOf(documents[surface]).flatMap(({ method, path, operation }) =>
      ["201", "202"].flatMap((status) => {
        const response = operation.responses[status];
        const isMissing = response && "headers" in response && response.headers?.Location === undefined;
        return isMissing && !/reader-events|ingest/.test(path) ? [`${method} ${path} ${status}`] : [];
      }),
    );
    expect(missing).toEqual([]);
  },
);

/** Generators name a class after its title. */
test.each(["a", "b"] as const)("every JSON body of surface %s is a component with a name", (surface) => {
  const nameless = operationsOf(documents[surface]).flatMap(({ method, path, operation }) =>
    [operation.requestBody, ...Object.values(operation.responses)].flatMap((body) =>
      mediaOf(body)
        .filter(({ schema }) => schema?.properties !== undefined)
        .map(() => `${method} ${path}`),
    ),
  );
  expect(nameless).toEqual([]);
  const schemas = Object.entries(documents[surface].components?.schemas ?? {});
  expect(schemas.length).toBeGreaterThan(40);
  expect(schemas.filter(([name, { title }]) => title !== name).map(([name]) => name)).toEqual([]);
  // Of an alternative without a name, generators make classes with numbers.
  const numbered = schemas.filter(
    ([, { anyOf = [] }]) => anyOf.filter(({ properties }) => properties).length > 1,
  );
  expect(numbered.map(([name]) => name)).toEqual([]);
});

/** The paths of id fields in examples whose value is not a valid id. */
function badIds(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const isField = /^id$|_id$/.test(key) && !FOREIGN_IDS.has(key) && typeof part === "string";
    const isOfEvent = isField && /^evt_[0-9a-f]{32}$/.test(part);
    return isField && !isOfEvent && !isId(part.split("_", 1)[0] ?? "", part)
      ? [`${at}/${key}: ${part}`]
      : badIds(part, `${at}/${key}`);
  });
}

/** Ids that are not TypeIDs: hashes, and ids that callers or providers choose. */
const FOREIGN_IDS = new Set(["event_id", "request_id", "client_request_id", "client_id", "device_id"]);

const mediaOf = (body: object | undefined): Media[] =>
  body !== undefined && "content" in body ? Object.values(body.content as Record<string, Media>) : [];
