import fc from "fast-check";
import { expect, it } from "vitest";
import { isQuantity, totalCost } from "./work-order-cost.ts";

it("the example of maintenance.md: 33.33 + 11.25 + 10.00", () => {
  const parts = [{ name: "Belt", quantity: 1.5, unitCost: 750 }];
  expect(totalCost({ labourMinutes: 50, labourRate: 4_000, parts, otherCost: 1_000 })).toBe(5_458);
});

it("halves are rounded up, each part separately", () => {
  const half = { name: "Oil", quantity: 0.5, unitCost: 1 };
  expect(totalCost({ parts: [half, half] })).toBe(2);
  expect(totalCost({ parts: [], labourMinutes: 30, labourRate: 1 })).toBe(1);
  expect(totalCost({ parts: [] })).toBe(0);
});

it("a part costs its thousandths times its cost, to the nearest minor unit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 0, max: 10 ** 6 }), (n, unitCost) => {
      const quantity = n / 1_000;
      expect(isQuantity(quantity)).toBe(true);
      const exact = BigInt(n) * BigInt(unitCost);
      const cost = BigInt(totalCost({ parts: [{ name: "Oil", quantity, unitCost }] }));
      expect(2n * (cost * 1_000n - exact)).toBeLessThanOrEqual(1_000n);
      expect(2n * (cost * 1_000n - exact)).toBeGreaterThan(-1_000n);
    }),
  );
});

it.each([0.0001, 1.2345, Number.NaN, Number.POSITIVE_INFINITY])("%d is no quantity", (quantity) => {
  expect(isQuantity(quantity)).toBe(quantity === Number.POSITIVE_INFINITY);
});

it("a cost that no number can show is refused", () => {
  const parts = [{ name: "Gold", quantity: 1_000_000, unitCost: Number.MAX_SAFE_INTEGER }];
  expect(() => totalCost({ parts })).toThrow(RangeError);
});
