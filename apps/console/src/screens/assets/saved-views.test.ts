import { expect, test } from "vitest";
import { parseViews, withView } from "./saved-views.ts";

const late = { name: "Late", search: { status: "sta_1", columns: ["cost"] } };

test("a view of the same name is replaced, and views are in the order of their names", () => {
  const views = withView([late], { name: "Drills", search: { q: "drill" } });
  expect(views.map(({ name }) => name)).toEqual(["Drills", "Late"]);
  const changed = { name: "Late", search: { q: "x" } };
  expect(withView([late], changed)).toEqual([changed]);
});

test("what is stored is read again", () => expect(parseViews(JSON.stringify([late]))).toEqual([late]));

test.each([null, "", "{", "{}", '[null, 1, {"name": "x"}, {"name": 2, "search": {}}]'])(
  "%j has no views",
  (stored) => expect(parseViews(stored)).toEqual([]),
);

test("what is no search is left out of a stored view", () =>
  expect(parseViews('[{"name": "x", "search": {"q": "a", "sort": "size", "page": 2}}]')).toEqual([
    { name: "x", search: { q: "a" } },
  ]));
