import { expect, test } from "vitest";
import type { PendingBatch } from "../buffer/batch-rows.ts";
import { nextWork } from "./next-work.ts";

const now = 1_000_000;
const when = { now, windowMs: 1000 };
const batch = (live: boolean, age: number): PendingBatch => ({
  ...{ nonce: `${live} ${age}`, reader: "gate", live, events: 1, oldestAt: 0, body: new Uint8Array() },
  formed: now - age,
});
const nothing = { liveSince: undefined, backlog: false };
const live = { liveSince: now - 1000, backlog: true };

test("nothing is sent when nothing waits", () => {
  expect(nextWork([], nothing, when)).toBeUndefined();
});

test("live reads wait for a window, and then leave before the backlog", () => {
  expect(nextWork([], { liveSince: now - 999, backlog: false }, when)).toBeUndefined();
  expect(nextWork([], live, when)).toEqual({ kind: "form", live: true });
});

test("the backlog leaves while live reads wait for their window", () => {
  expect(nextWork([], { liveSince: now - 5, backlog: true }, when)).toEqual({ kind: "form", live: false });
});

test("live reads leave before a batch of the backlog that was not answered", () => {
  const old = batch(false, 50_000);
  expect(nextWork([old], live, when)).toEqual({ kind: "form", live: true });
  expect(nextWork([old], nothing, when)).toEqual({ kind: "send", batch: old, live: false });
});

test("a live batch that was not answered is sent again first while it is young, later as backlog", () => {
  const [young, old] = [batch(true, 500), batch(true, 20_000)];
  expect(nextWork([old, young], live, when)).toEqual({ kind: "send", batch: young, live: true });
  expect(nextWork([old], nothing, when)).toEqual({ kind: "send", batch: old, live: false });
});

test("an outage makes at most two batches of a reader", () => {
  const [one, other] = [batch(true, 20_000), batch(true, 11_000)];
  expect(nextWork([one, other], live, when)).toEqual({ kind: "send", batch: one, live: false });
});

test("batches from before the start of this process belong to the backlog", () => {
  const left = { ...batch(true, 0), formed: 0 };
  expect(nextWork([left], live, when)).toEqual({ kind: "form", live: true });
});
