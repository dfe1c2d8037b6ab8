import { eventually } from "@asset-register/harness";
import { expect, test, vi } from "vitest";
import { subscribe } from "../src/index.ts";
import { event, log, world } from "./support.ts";

/** The messages of kafkajs have a duration of its own clock, in ms; the broker may answer a little early. */
const EARLY_MS = 50;

test("a fetch waits for a second while nothing is paused, and not for long while a partition is", async () => {
  const { kafka, consumer, publish, relay } = await world();
  const fetches: number[] = [];
  const create = kafka.kafka.consumer.bind(kafka.kafka);
  vi.spyOn(kafka.kafka, "consumer").mockImplementation((config) => {
    const created = create(config);
    created.on("consumer.network.request", ({ payload }) => {
      if (payload.apiName === "Fetch") fetches.push(payload.duration);
    });
    return created;
  });
  const [began, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await consumer({
    subscriptions: [
      subscribe(log, {
        async handle() {
          began.resolve();
          await release.promise;
        },
      }),
    ],
  });
  await eventually(() => expect(Math.max(...fetches)).toBeGreaterThan(1_000 - EARLY_MS));
  await relay();
  await publish(event(log, "a", 1));
  await began.promise;
  fetches.length = 0;
  // The first one of these may have begun before the partition was paused.
  await eventually(() => expect(fetches.length).toBeGreaterThan(5));
  expect(Math.min(...fetches)).toBeLessThan(1_000 - EARLY_MS);
  release.resolve();
  await eventually(() => expect(fetches.at(-1)).toBeGreaterThan(1_000 - EARLY_MS));
});
