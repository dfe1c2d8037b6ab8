import fc from "fast-check";
import { expect, test } from "vitest";
import { createInFlight } from "./in-flight.ts";

/** Adds a message, and returns what happens to it. */
function add(inFlight: ReturnType<typeof createInFlight>, events: string[], name: string, bytes = 1) {
  const { promise: written, resolve, reject } = Promise.withResolvers<void>();
  inFlight.add({
    ...{ bytes, written },
    acknowledge: () => void events.push(`acknowledged ${name}`),
    fail: () => void events.push(`failed ${name}`),
    proceed: () => void events.push(`after ${name}`),
  });
  return { resolve, reject };
}

test("in whatever order messages are written, they are acknowledged in the order in which they came", async () => {
  const order = fc.integer({ min: 1, max: 20 }).chain((count) =>
    fc.shuffledSubarray(
      Array.from({ length: count }, (_, index) => index),
      { minLength: count },
    ),
  );
  await fc.assert(
    fc.asyncProperty(order, async (writes) => {
      const events: string[] = [];
      const inFlight = createInFlight({ messages: 100, bytes: 1000 });
      const messages = writes.map((_, index) => add(inFlight, events, String(index)));
      for (const index of writes) messages[index]!.resolve();
      await inFlight.settled();
      const acknowledged = events.filter((event) => event.startsWith("acknowledged"));
      expect(acknowledged).toEqual(writes.map((_, index) => `acknowledged ${index}`));
    }),
  );
});

test("beyond the messages or the bytes that may be in flight, the next message waits until one is written", async () => {
  const limits = [
    { max: { messages: 2, bytes: 1000 }, bytes: 1 },
    { max: { messages: 100, bytes: 10 }, bytes: 5 },
  ];
  for (const { max, bytes } of limits) {
    const events: string[] = [];
    const inFlight = createInFlight(max);
    const first = add(inFlight, events, "1", bytes);
    const second = add(inFlight, events, "2", bytes);
    expect(events).toEqual(["after 1"]);
    first.resolve();
    second.resolve();
    await inFlight.settled();
    expect(events).toEqual(["after 1", "acknowledged 1", "after 2", "acknowledged 2"]);
  }
});

test("a message whose write fails is not acknowledged", async () => {
  const events: string[] = [];
  const inFlight = createInFlight({ messages: 10, bytes: 10 });
  add(inFlight, events, "1").reject(new Error("The disk is broken."));
  add(inFlight, events, "2").resolve();
  await inFlight.settled();
  expect(events).toEqual(["after 1", "after 2", "failed 1", "acknowledged 2"]);
});
