import { afterAll, beforeAll, describe, test } from "vitest";
import { accessRows } from "./access-rows.ts";
import { conditionRows } from "./condition-rows.ts";
import { expandRows } from "./expand-rows.ts";
import { createFixture, type Fixture } from "./fixture.ts";
import { idRows } from "./id-rows.ts";
import { inputRows } from "./input-rows.ts";
import { keyRows } from "./key-rows.ts";
import { gatewayRoutes } from "./routes.ts";

/** Records of each kind are created in two workspaces, and all their events are handled. */
const START_TIMEOUT_MS = 900_000;

const routes = await gatewayRoutes();

describe("every route", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await createFixture(routes);
  }, START_TIMEOUT_MS);
  afterAll(() => fixture?.stop());

  for (const route of routes) {
    const rows = [
      ...accessRows(route),
      ...inputRows(route),
      ...idRows(route),
      ...conditionRows(route, routes),
      ...keyRows(route),
      ...expandRows(route),
    ];
    describe(route.name, () => {
      for (const { name, run } of rows) test(name, () => run(fixture));
    });
  }
});
