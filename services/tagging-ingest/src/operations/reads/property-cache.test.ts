import { createLogger, createMetrics } from "@asset-register/runtime";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPropertyCache } from "./property-cache.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A cache of a register whose locations are all of one property, or which does not answer. */
function cacheOf() {
  const asked: string[][] = [];
  const register = { property: "prp_1", answers: true };
  const metrics = createMetrics({ service: "test" });
  const cache = createPropertyCache(
    {
      async propertiesOf(_, ids) {
        asked.push(ids);
        if (!register.answers) throw new Error("unavailable");
        return new Map(ids.filter((id) => id !== "loc_none").map((id) => [id, register.property]));
      },
    },
    { logger: createLogger({ service: "test", level: "silent" }), metrics },
  );
  const of = async (...ids: string[]) => Object.fromEntries(await cache.ofLocations("wsp_1", new Set(ids)));
  return { asked, register, of, metrics };
}

test("the locations of a page are asked in one call, and each once in five minutes, also one without a property", async () => {
  const { asked, of, register } = cacheOf();
  expect(await of("loc_1", "loc_2", "loc_none")).toEqual({ loc_1: "prp_1", loc_2: "prp_1" });
  expect(await of("loc_1", "loc_none", "loc_3")).toEqual({ loc_1: "prp_1", loc_3: "prp_1" });
  expect(asked).toEqual([["loc_1", "loc_2", "loc_none"], ["loc_3"]]);
  register.property = "prp_2";
  vi.advanceTimersByTime(300_001);
  expect(await of("loc_1")).toEqual({ loc_1: "prp_2" });
});

test("a register that does not answer is not asked for 10 s, and what was known before counts on", async () => {
  const { asked, of, register, metrics } = cacheOf();
  await of("loc_1");
  vi.advanceTimersByTime(300_001);
  register.answers = false;
  expect(await of("loc_1", "loc_2")).toEqual({ loc_1: "prp_1" });
  expect(await of("loc_1", "loc_2")).toEqual({ loc_1: "prp_1" });
  expect(asked).toHaveLength(2);
  expect(await metrics.registry.metrics()).toMatch(/location_properties_unanswered_total\S* 2\n/);
  register.answers = true;
  vi.advanceTimersByTime(10_001);
  expect(await of("loc_1", "loc_2")).toEqual({ loc_1: "prp_1", loc_2: "prp_1" });
});
