import { beforeAll, describe, expect, test } from "vitest";
import { type AutoscalerOptions, createAutoscaler, simulateLag } from "./autoscaler.ts";
import { type Rendered, render } from "./chart.ts";
import { findHelm } from "./tools.ts";

const BUILD_MS = 1_200_000;
const helm = await findHelm();
let production: Rendered;

beforeAll(async () => {
  if (helm !== undefined) production = await render(helm, "production");
}, BUILD_MS);

const behaviorSchema = (value: unknown) => value as AutoscalerOptions["behavior"];

/** The autoscaler of a worker, as rendered. */
function workerOf(component: string) {
  const found = production
    .of("ScaledObject")
    .find(({ metadata }) => metadata?.name === `assets-asset-register-${component}-worker`);
  const { spec } = found!;
  const { query = "", threshold } = spec!.triggers[0]!.metadata;
  return {
    min: spec!.minReplicaCount!,
    max: spec!.maxReplicaCount!,
    behavior: behaviorSchema(spec!.advanced!.horizontalPodAutoscalerConfig!.behavior),
    replicas: spec!.minReplicaCount!,
    target: Number(threshold),
    leastOfSeconds: 60 * Number(/min_over_time\(.*\[(\d+)m\]/.exec(query)?.[1]),
    seconds: 3_600,
  };
}

const OUTAGE = { from: 300, until: 330 };
/** Two replicas have room of a half, of a tenth, and none. */
const load = (room: number) => ({
  rate: 1_000,
  capacity: 500 * (1 + room),
  rebalanceSeconds: 5,
  outage: OUTAGE,
});

const ups = (changes: readonly { by: number }[]) => changes.filter(({ by }) => by > 0);

describe.runIf(helm)("after a broker failed over for 30 s, with the autoscaling of production", () => {
  test.each(["register", "tagging-ingest"])(
    "%s: workers with room for half more catch up without any change of the replicas",
    (component) => {
      const { lags, changes } = simulateLag(workerOf(component), load(0.5));
      expect(Math.max(...lags)).toBe(30);
      expect(changes).toEqual([]);
      expect(lags.at(-1)).toBe(0);
    },
  );

  test.each(["register", "tagging-ingest"])(
    "%s: workers with little room get at most two more, which go again one by one and do not come back",
    (component) => {
      const options = workerOf(component);
      const { lags, changes, replicas } = simulateLag(options, load(0.1));
      expect(Math.max(...replicas)).toBeLessThanOrEqual(options.min + 2);
      expect(ups(changes).length).toBeLessThanOrEqual(1);
      for (const { by } of changes.slice(1)) expect(by).toBe(-1);
      expect([lags.at(-1), replicas.at(-1)]).toEqual([0, options.min]);
    },
  );

  test("workers that are too few get more, two in two minutes, and the lag stays below two minutes", () => {
    const options = workerOf("tagging-ingest");
    const { lags, replicas } = simulateLag({ ...options, seconds: 7_200 }, load(-0.4));
    // Four replicas process 1.2 times of what arrives.
    expect(Math.max(...replicas)).toBeGreaterThanOrEqual(4);
    expect(Math.max(...replicas)).toBeLessThanOrEqual(8);
    for (const [at, count] of replicas.entries())
      expect(count - (replicas[at - 120] ?? options.min)).toBeLessThanOrEqual(2);
    expect(Math.max(...lags)).toBeLessThan(120);
  });

  test("the model shows the storm that the defaults of Kubernetes would make of the same failover", () => {
    const options = { ...workerOf("tagging-ingest"), behavior: {}, leastOfSeconds: 1 };
    const { replicas } = simulateLag(options, load(0.1));
    expect(Math.max(...replicas)).toBeGreaterThanOrEqual(10);
  });
});

test.runIf(helm)(
  "the gateway and api: 45 s of doubled CPU, as retries after a failover cause, add no pod; a lasting load adds at most half in a minute",
  () => {
    const scalers = production.of("HorizontalPodAutoscaler");
    expect(scalers.length).toBeGreaterThan(5);
    for (const { spec } of scalers) {
      const target = spec?.metrics?.[0]?.resource?.target.averageUtilization ?? 0;
      const behavior = behaviorSchema(spec?.behavior);
      const options = { min: spec?.minReplicas ?? 1, max: spec!.maxReplicas, behavior, replicas: 8 };
      const short = createAutoscaler({ ...options, max: 100 });
      for (let now = 0; now <= 600; now += 15)
        short.look(now, now > 300 && now <= 345 ? 2 * target : target, target);
      expect(short.changes).toEqual([]);

      const lasting = createAutoscaler({ ...options, max: 100 });
      const sizes = [];
      for (let now = 0; now <= 600; now += 15) {
        lasting.look(now, (target * 32) / lasting.replicas(), target);
        sizes.push(lasting.replicas());
      }
      expect(sizes.at(-1)).toBeGreaterThanOrEqual(29);
      for (const [at, size] of sizes.entries())
        expect(size).toBeLessThanOrEqual(Math.ceil(1.5 * (sizes[at - 4] ?? 8)));
    }
  },
);
