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

const mediaOf = (body: object | undefined): Media[] =>
  body !== undefined && "content" in body ? Object.values(body.content as Record<string, Media>) : [];
