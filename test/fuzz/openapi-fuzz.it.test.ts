import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestPlatform } from "../e2e/platform.ts";
import { type Callers, createCallers, enter } from "../matrix/callers.ts";
import { createMaker, type Maker, makers } from "../matrix/records.ts";
import { parametersOf } from "../matrix/requests.ts";
import { gatewayRoutes, type Route } from "../matrix/routes.ts";
import { withIds } from "../matrix/schema.ts";
import { teachings } from "../matrix/teachings.ts";
import { WITHOUT_LIMITS } from "../matrix/world.ts";
import { findSchemathesis, fuzz } from "./schemathesis.ts";

/** For both surfaces a minute or two on two cores, and a slow machine takes many times that. */
const FUZZED_WITHIN_MS = 1_800_000;

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
let maker: Maker;
let directory: string | undefined;

beforeAll(async () => {
  if (python === undefined) return;
  directory = await mkdtemp(path.join(tmpdir(), "asset-register-fuzz-"));
  starting = startTestPlatform(WITHOUT_LIMITS);
  const { demo } = await starting;
  origin = demo.base_url;
  const entered = enter(origin, demo);
  maker = createMaker(entered);
  callers = createCallers(origin, entered, routes);
}, FUZZED_WITHIN_MS);

afterAll(async () => {
  await (await starting)?.stop();
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
});

type Parameter = { in: string; name: string; required: boolean; schema: object };
type Document = { paths: Record<string, Record<string, { parameters?: (Parameter | { $ref: string })[] }>> };

/** As the document writes it: "POST /zones/{id}". */
const nameOf = ({ method, url }: Route, base: string): [method: string, path: string] => [
  method,
  url.slice(base.length).replaceAll(/:(\w+)/g, "{$1}"),
];

/**
 * The document, with ids of real records in its examples and paths, so that requests made of it succeed. Without
 * the headers that routes share: a key of before is a repeat, a tag of another revision ends in 412, and the body
 * is not looked at any more.
 */
async function documentOf({ surface, base }: Surface, own: Route[]): Promise<unknown> {
  const response = await fetch(`${origin}/openapi/surface-${surface}.json`);
  const document = (await response.json()) as Document;
  for (const route of own) {
    const [method, path] = nameOf(route, base);
    const operation = document.paths[path]![method.toLowerCase()]!;
    const inline = (operation.parameters ?? []).filter((parameter) => "in" in parameter);
    operation.parameters = [
      ...inline.filter((parameter) => parameter.in !== "path"),
      ...(await idsOf(route)),
    ];
  }
  return withIds(document, async (kind) => (kind in makers ? maker.shared(kind) : undefined));
}

/** Each operation gets records of its own: what one deletes is missing nowhere else. */
async function idsOf(route: Route): Promise<Parameter[]> {
  const asking = { maker, callers, caller: await callers.strongest(route) };
  const ids = parametersOf(route).map(async ({ name, kind }) => {
    const id = (await teachings[route.name]?.params?.[name]?.(asking)) ?? (await maker.fresh(kind));
    return { in: "path", name, required: true, schema: { type: "string", enum: [id] } };
  });
  return Promise.all(ids);
}

/** A caller of their own for what ends its session, or is locked out. */
async function ownCredentials({ base }: Surface, own: Route[]): Promise<Record<string, string>> {
  const alone = own.filter(({ name }) => teachings[name]?.ownSession);
  const entries = alone.map(async (route) => {
    const { credential } = await callers.exact(route, true);
    return [nameOf(route, base).join(" "), credential];
  });
  return Object.fromEntries(await Promise.all(entries));
}

describe.skipIf(python === undefined)("whatever is asked", () => {
  test.each(surfaces)(
    "surface $surface answers as its document says",
    async (surface) => {
      const own = routes.filter((route) => route.surface === surface.surface);
      const { passed, report } = await fuzz(python ?? "", {
        directory: directory ?? "",
        name: `surface-${surface.surface}`,
        document: await documentOf(surface, own),
        url: origin + surface.base,
        credential: (await callers.strongest(surface)).credential,
        credentials: await ownCredentials(surface, own),
      });
      expect(passed, report).toBe(true);
    },
    FUZZED_WITHIN_MS,
  );
});
