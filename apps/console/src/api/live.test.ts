import { eventTypes } from "@asset-register/proto/event-types";
import { expect, test, vi } from "vitest";

// The client of a page needs a browser; the table of paths does not.
vi.stubGlobal("BroadcastChannel", class {});
const { pathsTouchedBy } = await import("./live.ts");

test("every type of event marks some answers as stale, and an unknown one none", () => {
  for (const type of Object.keys(eventTypes)) expect(pathsTouchedBy(type), type).not.toEqual([]);
  expect(pathsTouchedBy("weather.changed")).toEqual([]);
});
