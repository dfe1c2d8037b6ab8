import { isId } from "@asset-register/runtime";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Document, Media } from "../src/openapi/types.ts";
import { fetchDocument, operationsOf } from "./documents.ts";
import { startGateway, type TestGateway } from "./gateway.ts";

let gateway: TestGateway;
let documents: { a: Document; b: Document };

beforeAll(async () => {
  gateway = await startGateway();
  documents = {
    a: await fetchDocument(gateway.url, "surface-a"),
    b: await fetchDocument(gateway.url, "surface-b"),
  };
});
afterAll(() => gateway.stop());

const RULES = {
  // This repository has no licence that a document could name.
  "info-license": "off",
} as const;

describe.each(["a", "b"] as const)("surface %s", (surface) => {
  test("Redocly's strict rules find nothing", async () => {
    const config = await createConfig({ extends: ["recommended-strict"], rules: RULES });
    const source = JSON.stringify(documents[surface]);
    const problems = await lintFromString({ source, absoluteRef: `/${surface}.json`, config });
    expect(
      problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer })),
    ).toEqual([]);
  });

  test("every operation is told apart, explained and exemplified", () => {
    const operations = operationsOf(documents[surface]);
    expect(operations.length).toBeGreaterThan(15);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const { method, path, operation } of operations) {
      const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
      expect(answers.length, `${method} ${path} has no success`).toBeGreaterThan(0);
      expect(operation.tags).toHaveLength(1);
      for (const media of [operation.requestBody, ...answers.map(([, answer]) => answer)].flatMap(mediaOf)) {
        expect(media.example ?? media.examples, `${method} ${path} has no example`).toBeDefined();
      }
    }
  });
});

/** A program whose id is empty by mistake must not be given everything. */
test.each(["a", "b"] as const)("no filter of surface %s may be empty", (surface) => {
  const filters = operationsOf(documents[surface]).flatMap(({ path, operation: { parameters = [] } }) =>
    parameters.flatMap((parameter) =>
      "schema" in parameter && parameter.in === "query" ? [{ path, ...parameter }] : [],
    ),
  );
  const texts = filters.filter(({ schema: { type, enum: values, format } }) => {
    return type === "string" && values === undefined && format === undefined;
  });
  const held = texts.filter(({ name }) => !MAY_BE_EMPTY.has(name));
  expect(held.length).toBeGreaterThan(0);
  expect(held.filter(({ schema }) => !(Number(schema.minLength) >= 1))).toEqual([]);
});

/** An empty search field, and the first page. */
const MAY_BE_EMPTY = new Set(["q", "cursor"]);

/** Whoever copies an example should get a 404 for it, not a wonder why it is no id. */
test.each(["a", "b"] as const)("every id in the examples of surface %s is one", (surface) => {
  const ids = [...JSON.stringify(documents[surface]).matchAll(/\b(?!evt_)([a-z]{3})_[0-9a-z]{16,}/g)];
  expect(new Set(ids.map(([, prefix]) => prefix)).size).toBeGreaterThan(8);
  expect(ids.filter(([id, prefix = ""]) => !isId(prefix, id))).toEqual([]);
  expect(badIds(documents[surface])).toEqual([]);
});

/** Where examples have text that is none of ours in a field for an id of ours. */
function badIds(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const isField = /^id$|_id$/.test(key) && !NOT_OURS.has(key) && typeof part === "string";
    return isField && !isId(part.slice(0, 3), part)
      ? [`${at}/${key}: ${part}`]
      : badIds(part, `${at}/${key}`);
  });
}

/** Made by hashing, or by whoever asks. */
const NOT_OURS = new Set(["event_id", "request_id"]);

const mediaOf = (body: object | undefined): Media[] =>
  body !== undefined && "content" in body ? Object.values(body.content as Record<string, Media>) : [];
