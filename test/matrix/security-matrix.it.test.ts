import { afterAll, describe, test } from "vitest";
import { accessRows } from "./access-rows.ts";
import { conditionRows } from "./condition-rows.ts";
import { createFixture } from "./fixture.ts";
import { idRows } from "./id-rows.ts";
import { inputRows } from "./input-rows.ts";
import { keyRows } from "./key-rows.ts";
import { gatewayRoutes } from "./routes.ts";

/** The set-up starts many processes at once and creates a record of each kind in two workspaces. */
const SETUP_TIMEOUT_MS = 900_000;

const routes = await gatewayRoutes();

const starting = createFixture(routes);
const fixture = await starting;

// Waits for `starting`, because after a time-out of the set-up its processes must be stopped too.
afterAll(async () => (await starting).stop(), SETUP_TIMEOUT_MS);

for (const route of routes) {
  const rows = [
    ...accessRows(route),
    ...inputRows(route),
    ...idRows(route),
    ...conditionRows(route, routes),
    ...keyRows(route),
  ];
  describe(route.name, () => {
    for (const { name, run } of rows) test(name, () => run(fixture));
  });
}
