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
} as const;

describe.each(["a", "b"] as const)("surface %s", (surface) => {
  test("the document passes Redocly's rules recommended-strict", async () => {
    const config = await createConfig({ extends: ["recommended-strict"], rules: RULES });
    const source = JSON.stringify(documents[surface]);
    const problems = await lintFromString({ source, absoluteRef: `/${surface}.json`, config });
    expect(
      problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer })),
    ).toEqual([]);
  });

  test("every operation has a unique id, one tag, a success response and examples", () => {
    const operations = operationsOf(documents[surface]);
    expect(operations.length).toBeGreaterThan(15);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const { method, path, operation } of operations) {
      const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
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

/** The paths of id fields in examples whose value is not a valid id. */
function badIds(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const isField = /^id$|_id$/.test(key) && !FOREIGN_IDS.has(key) && typeof part === "string";
    return isField && !isId(part.split("_", 1)[0] ?? "", part)
      ? [`${at}/${key}: ${part}`]
      : badIds(part, `${at}/${key}`);
  });
}

/** Ids that are not TypeIDs: hashes, and ids that callers choose. */
const FOREIGN_IDS = new Set(["event_id", "request_id", "device_id"]);

const mediaOf = (body: object | undefined): Media[] =>
  body !== undefined && "content" in body ? Object.values(body.content as Record<string, Media>) : [];
