import { expect, it } from "vitest";
import { stripFinance } from "./finance.ts";

it("stripped fields are named: those that were given, also a zero, and no others", () => {
  expect(stripFinance({ cost: 0, supplier: "Acme", invoiceNumber: undefined }, false)).toEqual({
    fields: { invoiceNumber: undefined },
    strippedFields: ["cost", "supplier"],
  });
});

it("a caller who may write finance fields loses none", () => {
  expect(stripFinance({ cost: 100 }, true)).toEqual({ fields: { cost: 100 }, strippedFields: [] });
});
