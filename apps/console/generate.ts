import { writeFileSync } from "node:fs";
import path from "node:path";
import { buildUnstarted } from "@asset-register/gateway/unstarted";
import openapiTS, { astToString } from "openapi-typescript";

/** Makes the types of surface B from the declarations of its routes. They are committed; CI makes them again. */
const FILE = path.join(import.meta.dirname, "src/api/surface-b.d.ts");

type Json = Record<string, unknown>;
type Operation = Json & { responses: Record<string, Json> };

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Leaves out what types do not need: with it the file would have 1 MB. */
function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (!isObject(value)) return value;
  // A property may have one of these names: then its value is a schema.
  const kept = Object.entries(value).filter(
    ([name, child]) => !["description", "example", "examples"].includes(name) || isSchema(child),
  );
  return Object.fromEntries(kept.map(([name, child]) => [name, withoutTexts(child)]));
}

const isSchema = (value: unknown): boolean =>
  isObject(value) && ("type" in value || "$ref" in value || "anyOf" in value || "oneOf" in value);

/** Every error of an operation is a Problem. */
function withOneError(operation: Operation): Operation {
  const succeeded = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([status, { content }]) => [status, { description: "", ...(content ? { content } : {}) }]);
  const problem = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
  const responses = { ...Object.fromEntries(succeeded), default: { description: "", content: problem } };
  return { ...operation, responses };
}

const gateway = await buildUnstarted();
const { openapi, info, paths, components } = await gateway.document("surface-b");
await gateway.stop();
const { schemas, parameters } = components;
const small = Object.entries(paths).map(([url, methods]) => [
  url,
  Object.fromEntries(
    Object.entries(methods).map(([method, operation]) => [method, withOneError(operation as Operation)]),
  ),
]);
const document = withoutTexts({
  ...{ openapi, info },
  paths: Object.fromEntries(small),
  components: { schemas, parameters },
});
const types = await openapiTS(JSON.stringify(document));
writeFileSync(FILE, `// Made by "npm run generate". Do not edit.\n\n${astToString(types)}`);
