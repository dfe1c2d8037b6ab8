import { expect, it } from "vitest";
import { stripFinance } from "./finance.ts";

it("names what was stripped, a given zero included, and nothing that was not given", () => {
  expect(stripFinance({ cost: 0, supplier: "Acme", invoiceNumber: undefined }, false)).toEqual({
    finance: {},
    strippedFields: ["cost", "supplier"],
  });
});

it("leaves everything to who may write it", () => {
  expect(stripFinance({ cost: 100 }, true)).toEqual({ finance: { cost: 100 }, strippedFields: [] });
});
