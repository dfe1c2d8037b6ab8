import { afterAll, beforeAll, describe, test } from "vitest";
import { accessRows } from "./access-rows.ts";
import { conditionRows } from "./condition-rows.ts";
import { idRows } from "./id-rows.ts";
import { inputRows } from "./input-rows.ts";
import { keyRows } from "./key-rows.ts";
import { gatewayRoutes } from "./routes.ts";
import { openWorld, type World } from "./world.ts";

/** The platform, two workspaces and a record of each kind: many processes, all starting at once. */
const SETTLED_WITHIN_MS = 900_000;

const routes = await gatewayRoutes();

let opening: Promise<World>;
let world: World;

beforeAll(async () => {
  opening = openWorld(routes);
  world = await opening;
}, SETTLED_WITHIN_MS);

// Also when it was not settled in time: processes must not outlive their test.
afterAll(async () => (await opening).stop(), SETTLED_WITHIN_MS);

for (const route of routes) {
  const rows = [
    ...accessRows(route),
    ...inputRows(route),
    ...idRows(route),
    ...conditionRows(route, routes),
    ...keyRows(route),
  ];
  describe(route.name, () => {
    for (const { name, run } of rows) test(name, () => run(world));
  });
}
