import { endOfDay } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { UnitsByMonth } from "../../domain/schedule/line.ts";
import { unitMonths } from "../../domain/schedule/lines.ts";
import { addDays, type Period } from "../../domain/schedule/period.ts";
import type { CarriedProfile } from "../../store/profiles/profiles.ts";

type Question = {
  workspaceId: string;
  timeZone: string;
  through: Period;
  profiles: readonly CarriedProfile[];
  signal: AbortSignal;
};

/** Asks maintenance once for the units of those profiles that are charged by units. By id of the asset. */
export async function readUnits(
  { clients }: Context,
  { workspaceId, timeZone, through, profiles, signal }: Question,
): Promise<Map<string, UnitsByMonth>> {
  const asked = profiles.flatMap((profile) => {
    const months = profile.invalidInput ? [] : unitMonths(profile, profile.carry, through);
    return months.length === 0 ? [] : [{ profile, months }];
  });
  if (asked.length === 0) return new Map();
  const months = [...new Set(asked.flatMap((one) => one.months))].sort();
  const metered = asked.map(({ profile: { assetId, openingOn, inServiceDate } }) => ({
    assetId,
    from: startOfDay(openingOn ?? inServiceDate, timeZone),
  }));
  const used = await clients.unitsOf(workspaceId, metered, months, signal);
  return new Map(
    asked.map(({ profile: { assetId } }) => {
      const units = used.get(assetId);
      return [assetId, new Map(months.map((month, index) => [month, thousandths(units?.[index])]))];
    }),
  );
}

/** Readings have at most three decimals. */
const thousandths = (units: number | undefined): number | undefined =>
  units === undefined ? undefined : Math.round(units * 1_000);

const startOfDay = (date: string, timeZone: string): Date =>
  new Date(endOfDay(addDays(date, -1), timeZone).getTime() + 1);
