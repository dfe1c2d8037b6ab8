import { expect, test } from "vitest";
import { createWorkspaceTurns } from "./workspace-turns.ts";

test("the computations of a workspace run one after the other, those of another one beside them; a failed one ends its turn", async () => {
  const inTurn = createWorkspaceTurns();
  const first = Promise.withResolvers<void>();
  const order: string[] = [];
  const run = (workspace: string, name: string, until: Promise<void> = Promise.resolve()) =>
    inTurn(workspace, async () => {
      order.push(`${name} begins`);
      await until;
      order.push(`${name} ends`);
    });
  const failing = expect(run("a", "one", first.promise)).rejects.toThrow("broken");
  const second = run("a", "two");
  await run("b", "other");
  first.reject(new Error("broken"));
  await Promise.all([failing, second]);
  expect(order).toEqual(["one begins", "other begins", "other ends", "two begins", "two ends"]);
});

test("beyond eight that run or wait, a computation of the workspace is RATE_LIMITED, and no other's", async () => {
  const inTurn = createWorkspaceTurns();
  const end = Promise.withResolvers<void>();
  const eight = Array.from({ length: 8 }, () => inTurn("a", () => end.promise));
  await expect(inTurn("a", async () => 9)).rejects.toMatchObject({
    code: "RATE_LIMITED",
    retryAfterMs: 1_000,
  });
  expect(await inTurn("b", async () => 1)).toBe(1);
  end.resolve();
  await Promise.all(eight);
  expect(await inTurn("a", async () => 9)).toBe(9);
});
