import { expect, test } from "vitest";
import { type Connection, keepConnected } from "./keep-connected.ts";

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A connection that stays open until the input stops. */
const open = ({ signal, connected }: Connection): Promise<void> => {
  connected("the reader");
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
};

test("a connection that fails or ends is opened again, and its last state is shown", async () => {
  const states: string[] = [];
  const { promise: isOpen, resolve } = Promise.withResolvers<void>();
  const attempts = [
    () => Promise.reject(new Error("There is no route.")),
    async ({ connected }: Connection) => connected("the reader"),
    (connection: Connection) => {
      const opened = open(connection);
      resolve();
      return opened;
    },
  ];
  const input = keepConnected(
    (connection) => {
      states.push(input.state().detail ?? input.state().state);
      return attempts.shift()?.(connection) ?? Promise.reject(new Error("There are only three attempts."));
    },
    { ...log, warn: (_message, fields) => void states.push(String(fields?.reason)) },
    { min: 1, max: 2 },
  );
  expect(input.state()).toEqual({ state: "waiting" });
  await input.start();
  await isOpen;
  expect(states).toEqual([
    "connecting",
    "There is no route.",
    "connecting",
    "The connection was closed.",
    "connecting",
  ]);
  expect(input.state()).toEqual({ state: "connected", detail: "the reader" });
  await input.stop();
  expect(input.state()).toEqual({ state: "waiting" });
});

test("an input stops at once, also while it waits for its next attempt", async () => {
  const { promise: failed, resolve } = Promise.withResolvers<void>();
  const input = keepConnected(
    () => Promise.reject(new Error("There is no route.")),
    { ...log, warn: () => resolve() },
    { min: 1_000_000, max: 1_000_000 },
  );
  await input.start();
  await failed;
  await input.stop();
  expect(input.state()).toEqual({ state: "waiting" });
});
