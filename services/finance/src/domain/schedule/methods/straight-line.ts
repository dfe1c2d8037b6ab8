import { shareOf } from "../../profiles/share.ts";
import { baseOf, type Charge, type ChargeContext } from "./context.ts";

/**
 * The remaining base, shared by the weights of the remaining life. Each charge follows from the NBV, so a change is
 * prospective (IAS 8) and a life without changes gives equal months (IAS 16.62).
 */
export function chargeStraightLine(context: ChargeContext): Charge {
  const { base, left, month, weight } = context;
  const share = { weight, left: left.sumFrom(month), unit: left.unit };
  return {
    amount: shareOf(base, share.weight, share.left),
    inputs: { rule: "straight_line", ...baseOf(context), share },
  };
}
