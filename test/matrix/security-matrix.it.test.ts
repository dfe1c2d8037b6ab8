import { afterAll, describe, test } from "vitest";
import { accessRows } from "./access-rows.ts";
import { conditionRows } from "./condition-rows.ts";
import { createFixture } from "./fixture.ts";
import { idRows } from "./id-rows.ts";
import { inputRows } from "./input-rows.ts";
import { keyRows } from "./key-rows.ts";
import { gatewayRoutes } from "./routes.ts";

/** Many processes stop at once. */
const STOP_TIMEOUT_MS = 900_000;

const routes = await gatewayRoutes();

// It stops what it has started when it fails.
const fixture = await createFixture(routes);
afterAll(() => fixture.stop(), STOP_TIMEOUT_MS);

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
