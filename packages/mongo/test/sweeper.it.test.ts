import { eventually } from "@asset-register/harness";
import { createLogger } from "@asset-register/runtime";
import { afterAll, expect, test } from "vitest";
import { createSweeper, type Sweep } from "../src/index.ts";
import { connectFresh } from "./connect.ts";

const mongo = await connectFresh();
afterAll(() => mongo.close());

const logger = createLogger({ service: "sweeper-test", level: "silent" });

test("sweeps run in one process of all; one that fails or waits delays no other, and a stop ends the wait", async () => {
  const runs = { first: 0, second: 0, failing: 0 };
  const sweeps = (owner: "first" | "second"): Sweep[] => [
    {
      name: "failing",
      everyMs: 5,
      async run() {
        runs.failing += 1;
        throw new Error("failed");
      },
    },
    {
      name: "waiting",
      everyMs: 5,
      run: (signal) => new Promise((resolve) => signal.addEventListener("abort", resolve)),
    },
    {
      name: "counting",
      everyMs: 5,
      async run() {
        runs[owner] += 1;
      },
    },
  ];
  const first = createSweeper({ mongo, logger }, "sweeper", sweeps("first"));
  const second = createSweeper({ mongo, logger }, "sweeper", sweeps("second"));
  first.start();
  await eventually(() => expect(runs.first).toBeGreaterThan(1));
  second.start();
  const before = runs.first;
  await eventually(() => {
    expect(runs.first).toBeGreaterThan(before + 2);
    expect(runs.failing).toBeGreaterThan(2);
  });
  expect(runs.second).toBe(0);
  await Promise.all([first.stop(), second.stop()]);
});
