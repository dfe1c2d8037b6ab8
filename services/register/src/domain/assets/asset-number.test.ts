import { expect, it } from "vitest";
import { formatNumber, numberKey } from "./asset-number.ts";

it("fills numbers with zeros and lets large ones grow", () => {
  expect(formatNumber("AST-", 42)).toBe("AST-000042");
  expect(formatNumber("", 1_234_567)).toBe("1234567");
});

it("treats numbers that differ in case as one", () => {
  expect(numberKey("ast-Ä1")).toBe(numberKey("AST-ä1"));
  expect(numberKey("AST-1")).not.toBe(numberKey("AST-01"));
});
