import { scaleMoney } from "@asset-register/runtime";
import { baseOf, type Charge, type ChargeContext } from "./context.ts";

/**
 * The remaining base x units used since the last charge / units left, at most the base (IAS 16.62). Units count from
 * the in-service date or the opening, so a late reading counts in the next charge. Without a reading the charge is 0.
 * `baseline` is what was used before this method began.
 */
export function chargeUnitsOfProduction(context: ChargeContext, baseline: number): Charge {
  const { base, inputs, carry, units: used } = context;
  const passed = Math.max(carry.units, baseline);
  const unitsLeft = Math.max(0, Math.round((inputs.totalUnits ?? 0) * 1000) - passed);
  const units = used === undefined ? 0 : Math.max(0, used - passed);
  const amount = used !== undefined && units >= unitsLeft ? base : scaleMoney(base, units, unitsLeft || 1);
  return {
    amount,
    units: used === undefined ? 0 : Math.max(0, used - carry.units),
    inputs: { rule: "units_of_production", ...baseOf(context), units, unitsLeft },
  };
}
