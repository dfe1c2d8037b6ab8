import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { joinPlatform } from "../e2e/platform.ts";
import { startReceiver } from "../e2e/receiver.ts";
import { type Caller, type Callers, createCallers, openWorkspace } from "../matrix/callers.ts";
import { createRecordFactory, type RecordFactory, recordCreators } from "../matrix/records.ts";
import { parametersOf } from "../matrix/requests.ts";
import { routeOverrides } from "../matrix/route-overrides.ts";
import { gatewayRoutes, type Route } from "../matrix/routes.ts";
import { withIds } from "../matrix/schema.ts";
import { findSchemathesis, fuzz } from "./schemathesis.ts";

/** Both surfaces together take one or two minutes on two cores. A slow machine takes many times longer. */
const FUZZ_TIMEOUT_MS = 1_800_000;

/** Runs of the fuzzer at the same time. */
const PROCESSES = 3;

const python = await findSchemathesis();
const routes = await gatewayRoutes();

type Surface = { surface: "a" | "b"; base: string };
const surfaces: Surface[] = [
  { surface: "a", base: "" },
  { surface: "b", base: "/asset_manager_api" },
];

let receiver: Awaited<ReturnType<typeof startReceiver>> | undefined;
let origin: string;
let callers: Callers;
let factory: RecordFactory;
let directory: string | undefined;

type Parameter = { in: string; name: string; required: boolean; schema: object };
/** A shared parameter has only a $ref. */
type Document = { paths: Record<string, Record<string, { parameters?: Parameter[] | undefined }>> };

/** The method and path of a route as the document has them: "POST", "/zones/{id}". */
const operationOf = ({ method, url }: Route, base: string): [method: string, path: string] => [
  method,
  url.slice(base.length).replaceAll(/:(\w+)/g, "{$1}"),
];

/** The operations that the fuzzer leaves out, with reasons. Tests of the gateway cover them. */
const LEFT_OUT = {
  routes: {
    "/events/stream": "a stream does not end, and the fuzzer reads each response to its end",
  },
  parameters: { wait: "each request would take up to 25 s" },
};

/**
 * The OpenAPI document, changed so that more generated requests succeed:
 * - It lacks the routes and parameters that are left out.
 * - Its examples and paths have ids of existing records.
 * - It has no shared header parameters. A reused Idempotency-Key would replay an earlier response, and an If-Match of
 *   another revision would get 412. In both cases the body would not be checked.
 */
async function documentOf(
  { surface, base }: Surface,
  own: Route[],
  separate: Map<Route, Caller>,
): Promise<Document> {
  const response = await fetch(`${origin}/openapi/surface-${surface}.json`);
  const document = (await response.json()) as Document;
  for (const [path, reason] of Object.entries(LEFT_OUT.routes)) {
    console.log(`fuzz: surface ${surface} without ${path}: ${reason}`);
    delete document.paths[`${surface === "a" ? "/v1" : ""}${path}`];
  }
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    operation.parameters = operation.parameters?.filter(
      (parameter) => "in" in parameter && !(parameter.name in LEFT_OUT.parameters),
    );
  }
  for (const route of own) {
    const [method, path] = operationOf(route, base);
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (operation === undefined) continue;
    const others = operation.parameters?.filter((parameter) => parameter.in !== "path") ?? [];
    operation.parameters = [...others, ...(await idsOf(route, separate.get(route)))];
  }
  // The cast: only texts are replaced.
  return (await withIds(document, async (kind) =>
    kind in recordCreators ? factory.shared(kind) : undefined,
  )) as Document;
}

/** Documents with a share of the paths each, for processes side by side: an idle platform costs CPU time too. */
function inShares(document: Document): Document[] {
  const paths = Object.entries(document.paths);
  return Array.from({ length: PROCESSES }, (_, share) => ({
    ...document,
    paths: Object.fromEntries(paths.filter((_path, index) => index % PROCESSES === share)),
  }));
}

/** Each operation gets records of its own, so that a delete does not affect other operations. */
async function idsOf(route: Route, separate: Caller | undefined): Promise<Parameter[]> {
  const context = { factory, callers, caller: separate ?? (await callers.withAllRights(route)) };
  const ids = parametersOf(route).map(async ({ name, kind }) => {
    const id = (await routeOverrides[route.name]?.params?.[name]?.(context)) ?? (await factory.create(kind));
    return { in: "path", name, required: true, schema: { type: "string", enum: [id] } };
  });
  return Promise.all(ids);
}

/** A separate caller for each operation that ends its own session, or changes the password or the second factors. */
async function separateCallers(own: Route[]): Promise<Map<Route, Caller>> {
  const sessionEnding = own.filter(({ name }) => routeOverrides[name]?.endsSession);
  const entries = sessionEnding.map(
    async (route) => [route, await callers.withRequiredRight(route, true)] as const,
  );
  return new Map(await Promise.all(entries));
}

describe.skipIf(python === undefined)("the OpenAPI documents", () => {
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "asset-register-fuzz-"));
    receiver = await startReceiver();
    const { demo, mails } = await joinPlatform();
    origin = demo.base_url;
    const workspace = openWorkspace(origin, demo);
    factory = createRecordFactory({ ...workspace, receiverUrl: receiver.url });
    callers = createCallers(origin, workspace, routes, mails);
  }, FUZZ_TIMEOUT_MS);

  afterAll(async () => {
    await receiver?.stop();
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  });

  test.each(surfaces)(
    "every response to a generated request conforms to the OpenAPI document of surface $surface",
    async (surface) => {
      const own = routes.filter((route) => route.surface === surface.surface);
      const separate = await separateCallers(own);
      const options = {
        directory: directory ?? "",
        url: origin + surface.base,
        credential: (await callers.withAllRights(surface)).credential,
        credentials: Object.fromEntries(
          [...separate].map(([route, { credential }]) => [
            operationOf(route, surface.base).join(" "),
            credential,
          ]),
        ),
      };
      const runs = inShares(await documentOf(surface, own, separate)).map((document, index) =>
        fuzz(python ?? "", { ...options, document, name: `surface-${surface.surface}-${index}` }),
      );
      for (const { passed, report } of await Promise.all(runs)) expect(passed, report).toBe(true);
    },
    FUZZ_TIMEOUT_MS,
  );
});
