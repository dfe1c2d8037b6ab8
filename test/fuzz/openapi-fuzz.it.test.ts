import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestPlatform } from "../e2e/platform.ts";
import { type Callers, createCallers, openWorkspace } from "../matrix/callers.ts";
import { HIGH_LIMITS } from "../matrix/fixture.ts";
import { createRecordFactory, type RecordFactory, recordCreators } from "../matrix/records.ts";
import { parametersOf } from "../matrix/requests.ts";
import { routeOverrides } from "../matrix/route-overrides.ts";
import { gatewayRoutes, type Route } from "../matrix/routes.ts";
import { withIds } from "../matrix/schema.ts";
import { findSchemathesis, fuzz } from "./schemathesis.ts";

/** Both surfaces together take one or two minutes on two cores. A slow machine takes many times longer. */
const FUZZ_TIMEOUT_MS = 1_800_000;

const python = await findSchemathesis();
const routes = await gatewayRoutes();

type Surface = { surface: "a" | "b"; base: string };
const surfaces: Surface[] = [
  { surface: "a", base: "" },
  { surface: "b", base: "/asset_manager_api" },
];

let starting: ReturnType<typeof startTestPlatform> | undefined;
let origin: string;
let callers: Callers;
let factory: RecordFactory;
let directory: string | undefined;

beforeAll(async () => {
  if (python === undefined) return;
  directory = await mkdtemp(path.join(tmpdir(), "asset-register-fuzz-"));
  starting = startTestPlatform(HIGH_LIMITS);
  const { demo } = await starting;
  origin = demo.base_url;
  const workspace = openWorkspace(origin, demo);
  factory = createRecordFactory(workspace);
  callers = createCallers(origin, workspace, routes);
}, FUZZ_TIMEOUT_MS);

afterAll(async () => {
  await (await starting)?.stop();
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
});

type Parameter = { in: string; name: string; required: boolean; schema: object };
type Document = { paths: Record<string, Record<string, { parameters?: (Parameter | { $ref: string })[] }>> };

/** The method and path of a route as the document has them: "POST", "/zones/{id}". */
const operationOf = ({ method, url }: Route, base: string): [method: string, path: string] => [
  method,
  url.slice(base.length).replaceAll(/:(\w+)/g, "{$1}"),
];

/**
 * The OpenAPI document, changed so that more generated requests succeed:
 * - Its examples and paths have ids of existing records.
 * - It has no shared header parameters. A reused Idempotency-Key would replay an earlier response, and an If-Match of
 *   another revision would get 412. In both cases the body would not be checked.
 */
async function documentOf({ surface, base }: Surface, own: Route[]): Promise<unknown> {
  const response = await fetch(`${origin}/openapi/surface-${surface}.json`);
  const document = (await response.json()) as Document;
  for (const route of own) {
    const [method, path] = operationOf(route, base);
    const operation = document.paths[path]![method.toLowerCase()]!;
    const inline = (operation.parameters ?? []).filter((parameter) => "in" in parameter);
    operation.parameters = [
      ...inline.filter((parameter) => parameter.in !== "path"),
      ...(await idsOf(route)),
    ];
  }
  return withIds(document, async (kind) => (kind in recordCreators ? factory.shared(kind) : undefined));
}

/** Each operation gets records of its own, so that a delete does not affect other operations. */
async function idsOf(route: Route): Promise<Parameter[]> {
  const context = { factory, callers, caller: await callers.withAllRights(route) };
  const ids = parametersOf(route).map(async ({ name, kind }) => {
    const id = (await routeOverrides[route.name]?.params?.[name]?.(context)) ?? (await factory.create(kind));
    return { in: "path", name, required: true, schema: { type: "string", enum: [id] } };
  });
  return Promise.all(ids);
}

/** A separate caller for each operation that ends its own session or changes the password. */
async function separateCredentials({ base }: Surface, own: Route[]): Promise<Record<string, string>> {
  const sessionEnding = own.filter(({ name }) => routeOverrides[name]?.endsSession);
  const entries = sessionEnding.map(async (route) => {
    const { credential } = await callers.withRequiredRight(route, true);
    return [operationOf(route, base).join(" "), credential];
  });
  return Object.fromEntries(await Promise.all(entries));
}

describe.skipIf(python === undefined)("the OpenAPI documents", () => {
  test.each(surfaces)(
    "every response to a generated request conforms to the OpenAPI document of surface $surface",
    async (surface) => {
      const own = routes.filter((route) => route.surface === surface.surface);
      const { passed, report } = await fuzz(python ?? "", {
        directory: directory ?? "",
        name: `surface-${surface.surface}`,
        document: await documentOf(surface, own),
        url: origin + surface.base,
        credential: (await callers.withAllRights(surface)).credential,
        credentials: await separateCredentials(surface, own),
      });
      expect(passed, report).toBe(true);
    },
    FUZZ_TIMEOUT_MS,
  );
});
