import { expect, test } from "vitest";
import { newRun } from "../../domain/reconcile/run.ts";
import type { Session } from "../../domain/session.ts";
import { createReadAhead } from "./read-ahead.ts";
import type { ReconcileStep } from "./step.ts";

const stepOf = (sessionId: string, after: string): ReconcileStep => ({
  session: { id: sessionId, workspaceId: "wsp_1" } as Session,
  run: { ...newRun({ seq: 1, until: new Date(0), before: "open" }), after },
  signal: new AbortController().signal,
});

/** Notes which pages are read. A page of the session "broken" fails once. */
function reading() {
  const read: string[] = [];
  const pages = createReadAhead(async ({ session, run }) => {
    read.push(`${session.id}${run.after}`);
    if (session.id === "broken" && read.length === 1) throw new Error("register is unavailable");
    return run.after;
  });
  return { pages, read };
}

test("a page that was read ahead is not read again, and is used once", async () => {
  const { pages, read } = reading();
  expect(await pages.page(stepOf("a", ""))).toBe("");
  pages.begin(stepOf("a", ""), "1");
  expect(read).toEqual(["a", "a1"]);
  expect(await pages.page(stepOf("a", "1"))).toBe("1");
  expect(read).toEqual(["a", "a1"]);
  await pages.page(stepOf("a", "1"));
  expect(read).toEqual(["a", "a1", "a1"]);
});

test("a failure of a page that was read ahead is that of its own step, and the retry reads it again", async () => {
  const { pages } = reading();
  pages.begin(stepOf("broken", ""), "1");
  await new Promise((resolve) => setImmediate(resolve));
  await expect(pages.page(stepOf("broken", "1"))).rejects.toThrow("unavailable");
  expect(await pages.page(stepOf("broken", "1"))).toBe("1");
});

test("a page of another reconcile of the session is not used", async () => {
  const { pages, read } = reading();
  const step = stepOf("a", "");
  pages.begin(step, "1");
  await pages.page({ ...step, run: { ...step.run, after: "1", until: new Date(1) } });
  expect(read).toEqual(["a1", "a1"]);
});

test("pages of reconciles that do not continue here are dropped", async () => {
  const { pages, read } = reading();
  for (let n = 0; n < 9; n += 1) pages.begin(stepOf(`s${n}:`, ""), "1");
  await pages.page(stepOf("s1:", "1"));
  expect(read).toHaveLength(9);
  await pages.page(stepOf("s0:", "1"));
  expect(read).toHaveLength(10);
});
