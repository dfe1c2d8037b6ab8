import { addDays } from "../schedules/interval.ts";
import type { Contract } from "./contract.ts";

export type ContractStatus = "cancelled" | "upcoming" | "expired" | "expiring" | "active";

/** A contract that ends within these days is expiring. */
export const EXPIRING_DAYS = 30;
/** After all other days. */
export const NEVER = "9999-12-31";

/** The status of a contract on a day (maintenance.md, States). Without ends_on it never expires. */
export function contractStatus(
  { cancelledAt, startsOn, endsOn }: Pick<Contract, "cancelledAt" | "startsOn" | "endsOn">,
  today: string,
): ContractStatus {
  if (cancelledAt !== undefined) return "cancelled";
  if (today < startsOn) return "upcoming";
  if (endsOn === undefined) return "active";
  if (today > endsOn) return "expired";
  return endsOn <= daysAfter(today, EXPIRING_DAYS) ? "expiring" : "active";
}

/** The day some days later. */
export const daysAfter = (day: string, days: number): string => addDays(day, days) ?? NEVER;
