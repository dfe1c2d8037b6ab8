import type { Carry } from "../../ledger/ledger.ts";
import type { ProfileInputs } from "../../profiles/profile.ts";
import type { DerivationInputs } from "../derivation.ts";
import type { Timeline } from "../timeline.ts";
import type { Month, Weights } from "../weights.ts";

/** The inputs of one month's charge. */
export type ChargeContext = {
  timeline: Timeline;
  inputs: ProfileInputs;
  carry: Carry;
  month: Month;
  /** More than 0. */
  base: number;
  /** Of the whole life. */
  whole: Weights;
  /** From the opening on. */
  left: Weights;
  /** The weight of the month: less than that of `left` if the charge stops in it. */
  weight: number;
  /** Of units of production: units used until the end of the month, in thousandths. */
  units?: number | undefined;
};

export type Charge = {
  amount: number;
  inputs: DerivationInputs;
  /** Thousandths. */
  units?: number | undefined;
};

/** Cost, salvage and what is charged so far, as texts show them. */
export function baseOf({ inputs, carry }: ChargeContext): { cost: number; salvage: number; charged: number } {
  return {
    cost: inputs.cost,
    salvage: inputs.method === "macrs" ? 0 : inputs.salvage,
    charged: inputs.openingAccumulated + carry.accumulated,
  };
}
