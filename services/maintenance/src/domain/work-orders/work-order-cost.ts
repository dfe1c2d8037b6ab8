import { scaleMoney, sumMoney } from "@asset-register/runtime";
import type { Part, WorkOrder } from "./work-order.ts";

const THOUSAND = 1_000;
const MINUTES_AN_HOUR = 60;

/** Whether a quantity has at most 3 decimals. */
export const isQuantity = (quantity: number): boolean =>
  Math.round(quantity * THOUSAND) / THOUSAND === quantity;

const partCost = ({ quantity, unitCost = 0 }: Part): number =>
  scaleMoney(unitCost, Math.round(quantity * THOUSAND), THOUSAND);

/**
 * Labour, parts and other cost, each rounded half up to minor units (maintenance.md, Cost).
 *
 * @throws RangeError if it is more than 2^53 - 1
 */
export function totalCost({
  labourMinutes = 0,
  labourRate = 0,
  parts,
  otherCost = 0,
}: Pick<WorkOrder, "labourMinutes" | "labourRate" | "parts" | "otherCost">): number {
  const labour = scaleMoney(labourRate, labourMinutes, MINUTES_AN_HOUR);
  return sumMoney([labour, ...parts.map(partCost), otherCost]);
}
