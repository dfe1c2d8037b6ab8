import { eventually } from "@asset-register/harness";
import { expect, test } from "vitest";
import { createDeadLetters, createEventSkipper, subscribe } from "../src/index.ts";
import { event, log, world } from "./support.ts";

const place = { topic: log, partition: 0 };

test("an event that a bug makes fail each time is skipped: it becomes a dead letter, and the events around it are handled", async () => {
  const { consumer, kafka, mongo, publish, relay } = await world(undefined, { partitions: 1 });
  const handled: number[] = [];
  let isBroken = true;
  await relay();
  await publish(...[1, 2, 3, 4, 5].map((sequence) => event(log, "a", sequence)));
  await consumer({
    subscriptions: [
      subscribe(log, {
        async handle(events) {
          if (isBroken && events.some(({ sequence }) => sequence === 3)) throw new Error("a bug");
          handled.push(...events.map(({ sequence }) => sequence));
        },
      }),
    ],
  });
  // The events before it are handled one by one, so the next event of the group is the one that fails.
  await eventually(() => expect(handled).toEqual([1, 2]));
  const skipper = createEventSkipper(kafka, mongo, "group");
  const next = await eventually(async () => {
    const found = await skipper.next(place);
    expect(String(found?.headers?.ce_sequence)).toBe("3");
    return found;
  });
  const offset = next?.offset ?? "";
  await Promise.all([skipper.ask(place, offset), skipper.ask(place, offset)]);
  const outcomes = [skipper.outcome(place, offset, 120_000), skipper.outcome(place, offset, 120_000)];
  expect(await Promise.all(outcomes)).toEqual(["skipped", "skipped"]);
  await eventually(() => expect(handled).toEqual([1, 2, 4, 5]));
  const letters = createDeadLetters(kafka);
  const found = await letters.list();
  expect(found).toMatchObject([{ partition: 0, offset, group: "group", error: "skipped" }]);
  isBroken = false;
  await letters.retry(found);
  await eventually(() => expect(handled).toEqual([1, 2, 4, 5, 3]));
});

test("a request to skip an event has no effect if the event is handled meanwhile", async () => {
  const { consumer, kafka, mongo, publish, relay } = await world(undefined, { partitions: 1 });
  const skipper = createEventSkipper(kafka, mongo, "group");
  await relay();
  await publish(event(log, "a", 1));
  await consumer({
    subscriptions: [
      // The request arrives after the consumer has looked for one.
      subscribe(log, { handle: () => skipper.ask(place, "0") }),
    ],
  });
  expect(await skipper.outcome(place, "0", 120_000)).toBe("handled");
  expect(await createDeadLetters(kafka).list()).toEqual([]);
  expect(await skipper.next(place)).toBeUndefined();
});
