/// <reference path="./internals.d.ts" />
import RequestQueue from "kafkajs/src/network/requestQueue/index.js";
import { afterEach, expect, it } from "vitest";
import "./quiet-connections.ts";

const queue = new RequestQueue({ logger: { debug() {}, warn() {} } });
afterEach(() => queue.destroy());

it("a connection without waiting requests has no timer after an answer", () => {
  queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
  expect(queue.throttleCheckTimeoutId).toBeNull();
});

it("a connection whose requests wait for the broker's throttling has a timer", () => {
  queue.throttledUntil = Date.now() + 60_000;
  queue.pending.push({});
  queue.scheduleCheckPendingRequests();
  expect(queue.throttleCheckTimeoutId).not.toBeNull();
});
