import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { descriptorSet, protoSources } from "@asset-register/proto/source";
import { topics } from "@asset-register/proto/topics";
import { requireFound } from "@asset-register/runtime";
import { createFileRegistry, fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, onTestFinished, test } from "vitest";
import { asyncApiDocument } from "../src/docs/events/async-api.ts";
import { topicPage, topicsPage } from "../src/docs/events/pages.ts";
import { topicFacts } from "../src/docs/events/topic-facts.ts";

const facts = topicFacts();

/** Redocly only knows JSON schemas as payloads. AsyncAPI allows other formats, here protobuf. */
function lintable(document: object): string {
  return JSON.stringify(document, (name, value) =>
    name === "payload" && typeof value === "object" && "schemaFormat" in value ? { type: "object" } : value,
  );
}

test("the AsyncAPI document has a channel for each topic and passes Redocly's rules recommended-strict", async () => {
  const document = asyncApiDocument(facts);
  expect(Object.keys(document).length).toBeGreaterThan(5);
  expect(document).toMatchObject({
    channels: Object.fromEntries(
      Object.values(topics).map(({ name }) => [name, { address: `asset-register.${name}` }]),
    ),
  });
  const config = await createConfig({
    extends: ["recommended-strict"],
    // The repository has no licence or contact that a document could name.
    rules: { "info-license": "off", "info-contact": "off" },
  });
  const problems = await lintFromString({
    source: lintable(document),
    absoluteRef: "/asyncapi.json",
    config,
  });
  expect(
    problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer })),
  ).toEqual([]);
});

test("the linter finds a document that is not AsyncAPI 3", async () => {
  const wrong = { ...asyncApiDocument(facts), channels: { x: { adress: "x" } } };
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({
    source: lintable(wrong),
    absoluteRef: "/asyncapi.json",
    config,
  });
  expect(problems.map(({ message }) => message).join("\n")).toContain("adress");
});

test.each(Object.values(topics))(
  "the sample of $name is a message of its schema, and its page shows it",
  (topic) => {
    const found = facts.find(({ name }) => name === topic.name)!;
    expect(() => fromJson(topic.schema, found.sample)).not.toThrow();
    expect(found.proto).toContain(`message ${topic.schema.name} {`);
    const html = topicPage(found);
    expect(html).toContain(found.address);
    expect(html).toContain(found.retention);
    expect(topicsPage(facts)).toContain(`href="/docs/events/${topic.name}"`);
  },
);

test("the served protos build without other files, and the descriptor set decodes a message as the generated code does", async () => {
  const schemas = Object.values(topics).map(({ schema }) => schema);
  const directory = await mkdtemp(path.join(tmpdir(), "asset-register-protos-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const [name, source] of protoSources(schemas)) {
    await mkdir(path.dirname(path.join(directory, name)), { recursive: true });
    await writeFile(path.join(directory, name), source);
    expect(source).toContain("option go_package = ");
    expect(source).toContain("option java_package = ");
  }
  await promisify(execFile)("buf", ["build", "--error-format", "text"], { cwd: directory });

  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptorSet(schemas)));
  for (const { schema, sample } of facts.map((topic, index) => ({
    ...topic,
    schema: requireFound(schemas[index]),
  }))) {
    const bytes = toBinary(schema, fromJson(schema, sample));
    const described = requireFound(registry.getMessage(schema.typeName));
    expect(toJson(described, fromBinary(described, bytes))).toEqual(sample);
  }
});

test("SIGHTINGS.md names the types that are on the wire", () => {
  const page = readFileSync("services/tagging-ingest/SIGHTINGS.md", "utf8");
  const [, row = ""] = /^\| `type` +\|(.*)\|$/m.exec(page) ?? [];
  const named = [...row.matchAll(/`(?:sighting)?\.(\w+)`/g)].map(([, change]) => change);
  const changes = topics.sighting.schema.oneofs.flatMap(({ fields }) => fields.map(({ name }) => name));
  expect(named.toSorted()).toEqual(changes.toSorted());
  expect(row).toContain("`com.assetregister.`");
});
