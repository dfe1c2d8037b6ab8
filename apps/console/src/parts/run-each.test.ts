import i18next from "i18next";
import { expect, test } from "vitest";
import { texts as shell } from "../text/en/shell.ts";
import { runEach } from "./run-each.ts";

const items = Array.from({ length: 20 }, (_, index) => ({ id: `ast_${index}`, name: `Asset ${index}` }));

test("each item is done once, a few at a time, and those that fail are named", async () => {
  const done: string[] = [];
  let running = 0;
  let most = 0;
  const failed = await runEach(
    items,
    async ({ id }) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve));
      running -= 1;
      if (id === "ast_3" || id === "ast_7") throw new Error("is checked out");
    },
    (id) => done.push(id),
  ).catch((error: Error) => error.message);
  expect(failed).toBe("Asset 3: is checked out\nAsset 7: is checked out");
  expect(done.toSorted()).toEqual(
    items
      .map(({ id }) => id)
      .filter((id) => !["ast_3", "ast_7"].includes(id))
      .toSorted(),
  );
  expect(most).toBe(4);
});

test("of many failures the first five are named, and the rest is counted", async () => {
  await i18next.init({ lng: "en", resources: { en: { translation: shell } } });
  const failed = await runEach(
    items,
    () => Promise.reject(new Error("is checked out")),
    () => {},
  ).catch((error: Error) => error.message.split("\n"));
  expect(failed).toHaveLength(6);
  expect(failed?.at(-1)).toBe("and 15 more");
});
