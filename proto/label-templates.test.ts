import { describe, expect, test } from "vitest";
import { labelsOnPage, placeOf, templates } from "./label-templates.ts";

describe.each(Object.entries(templates))("%s", (_name, template) => {
  test("its labels are on the page and do not overlap", () => {
    const { page, label } = template;
    const places = Array.from({ length: labelsOnPage(template) }, (_, index) => placeOf(template, index));
    for (const [index, { page: number, x, y }] of places.entries()) {
      expect(number).toBe(0);
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(x + label.width).toBeLessThanOrEqual(page.width + 1e-9);
      expect(y + label.height).toBeLessThanOrEqual(page.height + 1e-9);
      const overlapping = places.filter(
        (other, at) =>
          at !== index &&
          Math.abs(other.x - x) < label.width - 1e-9 &&
          Math.abs(other.y - y) < label.height - 1e-9,
      );
      expect(overlapping).toEqual([]);
    }
  });

  test("the label after the last one of a page is the first one of the next page", () => {
    const { x, y } = placeOf(template, 0);
    expect(placeOf(template, labelsOnPage(template))).toEqual({ page: 1, x, y });
  });
});

test("the sheets have the labels that their makers name", () => {
  const counts = Object.entries(templates).map(([name, template]) => [name, labelsOnPage(template)]);
  expect(Object.fromEntries(counts)).toMatchObject({
    ...{ l7651: 65, l7160: 21, l4731: 189, "5160": 30, "5167": 80 },
    ...{ "50x25": 1, "70x32": 1, "100x50": 1 },
  });
});
