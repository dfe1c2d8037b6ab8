import type { DepreciationConvention, MacrsClass } from "../../profiles/profile.ts";
import { fiscalMonth, fiscalQuarter, type Period } from "../period.ts";

/** Percentages of the cost for each fiscal year, in 1 / `scale` percent. They sum to 100 %. */
export type MacrsTable = { percentages: readonly number[]; scale: number };

/** IRS Publication 946, appendix A, table A-1: half-year convention. */
const HALF_YEAR = {
  "3y": [33.33, 44.45, 14.81, 7.41],
  "5y": [20, 32, 19.2, 11.52, 11.52, 5.76],
  "7y": [14.29, 24.49, 17.49, 12.49, 8.93, 8.92, 8.93, 4.46],
  "10y": [10, 18, 14.4, 11.52, 9.22, 7.37, 6.55, 6.55, 6.56, 6.55, 3.28],
  "15y": [5, 9.5, 8.55, 7.7, 6.93, 6.23, 5.9, 5.9, 5.91, 5.9, 5.91, 5.9, 5.91, 5.9, 5.91, 2.95],
  "20y": [
    ...[3.75, 7.219, 6.677, 6.177, 5.713, 5.285, 4.888, 4.522],
    ...[4.462, 4.461, 4.462, 4.461, 4.462, 4.461, 4.462, 4.461, 4.462, 4.461, 4.462, 4.461, 2.231],
  ],
};

/** Tables: mid-quarter convention, placed in service in the first to the fourth quarter. */
const MID_QUARTER: Partial<Record<MacrsClass, readonly (readonly number[])[]>> = {
  "3y": [
    [58.33, 27.78, 12.35, 1.54],
    [41.67, 38.89, 14.14, 5.3],
    [25, 50, 16.67, 8.33],
    [8.33, 61.11, 20.37, 10.19],
  ],
  "5y": [
    [35, 26, 15.6, 11.01, 11.01, 1.38],
    [25, 30, 18, 11.37, 11.37, 4.26],
    [15, 34, 20.4, 12.24, 11.3, 7.06],
    [5, 38, 22.8, 13.68, 10.94, 9.58],
  ],
  "7y": [
    [25, 21.43, 15.31, 10.93, 8.75, 8.74, 8.75, 1.09],
    [17.85, 23.47, 16.76, 11.97, 8.87, 8.87, 8.87, 3.34],
    [10.71, 25.51, 18.22, 13.02, 9.3, 8.85, 8.86, 5.53],
    [3.57, 27.55, 19.68, 14.06, 10.04, 8.73, 8.73, 7.64],
  ],
};

/** Table A-7a: 39 years, mid-month convention. Year 1 by the month of the year; years 2 to 39 are 2.564. */
const FIRST_YEAR_39 = [2.461, 2.247, 2.033, 1.819, 1.605, 1.391, 1.177, 0.963, 0.749, 0.535, 0.321, 0.107];

/** The percentages of an asset that is placed in service in a month. */
export function macrsTable(
  macrsClass: MacrsClass,
  convention: DepreciationConvention,
  inService: Period,
  fiscalYearStart: number,
): MacrsTable {
  if (macrsClass === "39y") {
    const month = fiscalMonth(inService, fiscalYearStart);
    const [first = 0, last = 0] = [FIRST_YEAR_39[month - 1], FIRST_YEAR_39[12 - month]];
    return scaled([first, ...Array<number>(38).fill(2.564), last], 1000);
  }
  const scale = macrsClass === "20y" ? 1000 : 100;
  if (convention !== "mid_quarter") return scaled(HALF_YEAR[macrsClass], scale);
  const quarter = fiscalQuarter(inService, fiscalYearStart);
  const printed = MID_QUARTER[macrsClass]?.[quarter - 1];
  return printed === undefined ? computedTable(macrsClass, quarter) : scaled(printed, scale);
}

const scaled = (percentages: readonly number[], scale: number): MacrsTable => ({
  percentages: percentages.map((percent) => Math.round(percent * scale)),
  scale,
});

/** Halves of a month in service in the first year: mid-quarter Q1 to Q4, and half-year. */
const FIRST_YEAR_HALVES = { 1: 21, 2: 15, 3: 9, 4: 3, half_year: 12 } as const;

/**
 * The columns by formula: 200 % declining balance (150 % for 15y and 20y), straight line over the rest when that is
 * better. Each percentage is rounded half up, and the rest is carried from the rounded figures. Used for the columns of
 * mid_quarter that the design does not print; the tests show that it gives the printed ones.
 */
export function computedTable(
  macrsClass: Exclude<MacrsClass, "39y">,
  quarter: number | "half_year",
): MacrsTable {
  const years = Number.parseInt(macrsClass, 10);
  const scale = macrsClass === "20y" ? 1000 : 100;
  const factorHalves = years >= 15 ? 3 : 4;
  const firstHalves = FIRST_YEAR_HALVES[quarter as keyof typeof FIRST_YEAR_HALVES] ?? 12;
  const percentages: number[] = [];
  let rest = 100 * scale;
  let halvesLeft = years * 24;
  for (let year = 0; halvesLeft > 0; year++) {
    const halves = Math.min(year === 0 ? firstHalves : 24, halvesLeft);
    // rest x factor / years x halves / 24, and rest x halves / halvesLeft
    const declining = roundedRatio(rest * factorHalves * halves, 2 * years * 24);
    const straight = roundedRatio(rest * halves, halvesLeft);
    const percent = Math.min(rest, Math.max(declining, straight));
    percentages.push(percent);
    rest -= percent;
    halvesLeft -= halves;
  }
  return { percentages, scale };
}

/** Rounds half up. The products stay far below 2^53. */
const roundedRatio = (numerator: number, denominator: number): number =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));
