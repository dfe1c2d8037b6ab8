import fc from "fast-check";
import { expect, test } from "vitest";
import { concatenated, type PageSource } from "./concatenated.ts";

const source =
  (list: string[]): PageSource<string> =>
  async (page, limit) => ({ items: list.slice((page - 1) * limit, page * limit), total: list.length });

test("the pages of several lists are those of their concatenation", async () => {
  const list = (name: string) => fc.nat(25).map((n) => Array.from({ length: n }, (_, i) => `${name}${i}`));
  await fc.assert(
    fc.asyncProperty(
      list("a"),
      list("b"),
      list("c"),
      fc.integer({ min: 1, max: 12 }),
      async (a, b, c, limit) => {
        const all = [...a, ...b, ...c];
        for (let page = 1; page <= Math.ceil(all.length / limit) + 1; page += 1) {
          const got = await concatenated([source(a), source(b), source(c)], page, limit);
          expect(got).toEqual({ items: all.slice((page - 1) * limit, page * limit), total: all.length });
        }
      },
    ),
  );
});
