import { formatMoney } from "@asset-register/runtime";
import type { CalendarDate } from "./period.ts";

/** A part of a whole in weights. `unit` is the weight of a whole month; absent: the weights are days. */
export type Share = { weight: number; left: number; unit?: number | undefined };

/** The part of one year's amount that a month gets. The month in which a year of life ends has two. */
export type YearPart = {
  /** 1 is the first year of the life or of the table. */
  year: number;
  /** Of the base: weight / total is the year's fraction. */
  weight: number;
  total: number;
  yearAmount: number;
  /** Of the year, charged before. */
  charged: number;
  share: Share;
};

/** The inputs of one figure. They are stored with it, and its text is made of them. Amounts are minor units. */
export type DerivationInputs =
  | { rule: "straight_line"; cost: number; salvage: number; charged: number; share: Share }
  | {
      rule: "declining_balance";
      /** Percent a year, as text: "40" or "33.3333". */
      rate: string;
      openingNbv: number;
      salvage: number;
      /** The months of the year in the schedule, of those of a full year. */
      year: Share;
      yearAmount: number;
      charged: number;
      share: Share;
      /** Why the year's amount is not opening x rate. */
      capped?: "switched" | "last_year" | "salvage" | undefined;
    }
  | { rule: "sum_of_years_digits" | "macrs"; base: number; parts: YearPart[] }
  | {
      rule: "units_of_production";
      cost: number;
      salvage: number;
      charged: number;
      /** Thousandths. */
      units: number;
      unitsLeft: number;
    }
  /** The life is over: the line takes everything. */
  | { rule: "rest"; cost: number; salvage: number; charged: number }
  /** The rest of the year in which the charge stops, by half_year, mid_quarter or mid_month of 39 years. */
  | { rule: "year_of_stop"; yearAmount: number; numerator: number; denominator: number; charged: number }
  | { rule: "impairment"; on: CalendarDate; amount: number; nbv: number };

/**
 * The derivation of a figure in words and numbers, for example
 * "straight line: (1,200.00 - 0.00 - 300.00 charged) x 1 / 9 months left = 100.00".
 */
export function describeDerivation(inputs: DerivationInputs, amount: number, digits: number): string {
  const money = (minor: number) => grouped(formatMoney(minor, digits));
  const result = `= ${money(amount)}`;
  const base = (of: { cost: number; salvage: number; charged: number }) =>
    `(${money(of.cost)} - ${money(of.salvage)} - ${money(of.charged)} charged)`;
  switch (inputs.rule) {
    case "straight_line":
      return `straight line: ${base(inputs)} x ${shareText(inputs.share)} ${result}`;
    case "declining_balance":
      return `declining balance: ${decliningYear(inputs, money)}; ${yearRest(inputs, money)} ${result}`;
    case "sum_of_years_digits":
    case "macrs": {
      const name = inputs.rule === "macrs" ? "MACRS" : "sum of years' digits";
      const parts = inputs.parts.map((part) => yearPartText(part, inputs.base, money));
      return `${name}: ${parts.join(" + ")} ${result}`;
    }
    case "units_of_production":
      return `units of production: ${base(inputs)} x ${units(inputs.units)} / ${units(inputs.unitsLeft)} units left ${result}`;
    case "rest":
      return `the life is over: ${money(inputs.cost)} - ${money(inputs.salvage)} - ${money(inputs.charged)} charged ${result}`;
    case "year_of_stop":
      return (
        `the charge stops in this year: ${money(inputs.yearAmount)} x ${inputs.numerator} / ${inputs.denominator}` +
        ` - ${money(inputs.charged)} charged this year, at least 0 ${result}`
      );
    case "impairment":
      return inputs.amount === amount
        ? `impairment on ${inputs.on} ${result}`
        : `impairment on ${inputs.on}: ${money(inputs.amount)}, at most the net book value of ${money(inputs.nbv)} ${result}`;
  }
}

type Money = (minor: number) => string;
type Declining = Extract<DerivationInputs, { rule: "declining_balance" }>;

function decliningYear(inputs: Declining, money: Money): string {
  const { openingNbv, salvage, rate, year, yearAmount, capped } = inputs;
  const text = money(yearAmount);
  const left = `${money(openingNbv)} - ${money(salvage)}`;
  if (capped === "switched") return `straight line over the remaining life from here, year ${text}`;
  if (capped === "last_year") return `last year ${left} = ${text}`;
  const whole = year.weight === year.left ? "" : ` x ${shareText(year, "of a year")}`;
  const product = `year ${money(openingNbv)} x ${rate}%${whole}`;
  return capped === "salvage" ? `${product}, at most ${left} = ${text}` : `${product} = ${text}`;
}

function yearRest({ yearAmount, charged, share }: Declining, money: Money): string {
  return `(${money(yearAmount)} - ${money(charged)} charged this year) x ${shareText(share, "left this year")}`;
}

function yearPartText(
  { year, weight, total, yearAmount, charged, share }: YearPart,
  base: number,
  money: Money,
) {
  const amount = `year ${year}: ${money(base)} x ${weight} / ${total} = ${money(yearAmount)}`;
  return `[${amount}; (${money(yearAmount)} - ${money(charged)} charged) x ${shareText(share, "left")}]`;
}

/** "1 / 9 months left", "0.5 / 12 months left", "22 / 366 days left". */
function shareText({ weight, left, unit }: Share, after = "left"): string {
  const name = unit === undefined ? "days" : "months";
  const [part, whole] =
    unit === undefined ? [String(weight), String(left)] : [ratio(weight, unit), ratio(left, unit)];
  return `${part} / ${whole} ${name} ${after}`;
}

/** A number of months as text: exact with at most one decimal, else as a fraction. */
function ratio(weight: number, unit: number): string {
  const halves = (weight * 2) / unit;
  if (Number.isInteger(halves)) return String(halves / 2);
  return `(${weight} / ${unit})`;
}

const units = (thousandths: number): string => grouped(String(thousandths / 1000));

/** "1234567.80" as "1,234,567.80". */
function grouped(text: string): string {
  const [whole = "", fraction] = text.split(".");
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}
