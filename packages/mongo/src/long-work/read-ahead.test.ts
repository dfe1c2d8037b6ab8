import { expect, test } from "vitest";
import { createReadAhead } from "./read-ahead.ts";

type Step = { work: string; after: string };

/** Notes which pages are read. The first page that is read of the work "broken" fails. */
function reading() {
  const read: string[] = [];
  const pages = createReadAhead({
    keyOf: ({ work, after }: Step) => `${work} ${after}`,
    async read({ work, after }: Step) {
      read.push(`${work}${after}`);
      if (work === "broken" && read.length === 1) throw new Error("register is unavailable");
      return after;
    },
  });
  return { pages, read };
}

test("a page that was read ahead is not read again, and is used once", async () => {
  const { pages, read } = reading();
  expect(await pages.page({ work: "a", after: "" })).toBe("");
  pages.begin({ work: "a", after: "1" });
  expect(read).toEqual(["a", "a1"]);
  expect(await pages.page({ work: "a", after: "1" })).toBe("1");
  expect(read).toEqual(["a", "a1"]);
  await pages.page({ work: "a", after: "1" });
  expect(read).toEqual(["a", "a1", "a1"]);
});

test("a failure of a page that was read ahead is that of its own step, and the retry reads it again", async () => {
  const { pages } = reading();
  pages.begin({ work: "broken", after: "1" });
  await new Promise((resolve) => setImmediate(resolve));
  await expect(pages.page({ work: "broken", after: "1" })).rejects.toThrow("unavailable");
  expect(await pages.page({ work: "broken", after: "1" })).toBe("1");
});

test("a page with another key is not used", async () => {
  const { pages, read } = reading();
  pages.begin({ work: "a", after: "1" });
  await pages.page({ work: "b", after: "1" });
  expect(read).toEqual(["a1", "b1"]);
});

test("pages of works that do not continue here are dropped", async () => {
  const { pages, read } = reading();
  for (let n = 0; n < 9; n += 1) pages.begin({ work: `s${n}:`, after: "1" });
  await pages.page({ work: "s1:", after: "1" });
  expect(read).toHaveLength(9);
  await pages.page({ work: "s0:", after: "1" });
  expect(read).toHaveLength(10);
});
