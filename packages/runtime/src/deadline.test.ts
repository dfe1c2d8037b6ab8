import { expect, it } from "vitest";
import { sleep } from "./backoff.ts";
import { currentDeadline, runWithDeadline, runWithoutDeadline } from "./deadline.ts";

it("work has the earlier of its own deadline and the deadline of the work around it, also after it waited", async () => {
  const seen = await runWithDeadline(2_000, async () => {
    await sleep(1);
    return [
      runWithDeadline(1_000, currentDeadline),
      runWithDeadline(3_000, currentDeadline),
      currentDeadline(),
    ];
  });
  expect(seen).toEqual([1_000, 2_000, 2_000]);
  expect(currentDeadline()).toBeUndefined();
});

it("work that may outlive its call has no deadline", async () => {
  const work = async () => {
    await sleep(1);
    return currentDeadline();
  };
  expect(await runWithDeadline(1_000, () => runWithoutDeadline(work))).toBeUndefined();
});
