import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, expect, test } from "vitest";
import type { Operation } from "../../src/openapi/types.ts";
import { fetchDocument } from "../documents.ts";
import { startGateway } from "../gateway.ts";

/** The tests of the notification service compare the examples in these pages with the messages that it sends. */
const pages = ["webhooks", "event-types"].map((name) =>
  readFileSync(new URL(`../../../services/notification/docs/${name}.md`, import.meta.url), "utf8"),
);
const messages = [...pages.join("\n").matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]) =>
  JSON.parse(text),
);

const gateway = await startGateway();
const document = await fetchDocument(gateway.url, "surface-a");
afterAll(() => gateway.stop());

test("the document describes every message that is sent, and the message matches its schema", () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  ajv.addSchema({ ...document, $id: "document" });
  expect(messages.map(({ type }) => type).toSorted()).toEqual(
    Object.keys(document.webhooks ?? {}).toSorted(),
  );
  for (const message of messages) {
    const reference = schemaOf(document.webhooks?.[message.type]?.post);
    const validate = ajv.getSchema(`document${reference}`);
    expect(validate, `${message.type} has its schema at ${reference}`).toBeDefined();
    expect({ type: message.type, fits: validate?.(message), errors: validate?.errors }).toMatchObject({
      fits: true,
    });
    expect(validate?.({ ...message, data: {} })).toBe(false);
  }
});

const schemaOf = (operation: Operation | undefined): unknown =>
  operation?.requestBody?.content["application/json"]?.schema?.$ref;

test("the document describes both kinds of signature for every message", () => {
  for (const [type, { post }] of Object.entries(document.webhooks ?? {})) {
    const names = post?.parameters?.map((parameter) => "name" in parameter && parameter.name);
    expect(names, type).toEqual([
      "X-Service-Signature",
      "X-Service-Signature-Previous",
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
    ]);
  }
});
