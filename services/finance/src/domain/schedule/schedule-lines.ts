import { formatMoney } from "@asset-register/runtime";
import type { LedgerKind, LedgerRow } from "../ledger/ledger.ts";
import type { Profile } from "../profiles/profile.ts";
import { describeDerivation } from "./derivation.ts";
import type { Line } from "./line.ts";
import { type CalendarDate, monthIndex, type Period } from "./period.ts";
import { stretchAt, timelineOf } from "./timeline.ts";

/** A figure of the past or of the forecast. */
export type ScheduleLine = {
  period: Period;
  kind: LedgerKind;
  status: "posted" | "forecast";
  openingNbv: number;
  amount: number;
  closingNbv: number;
  /** In words and numbers. */
  derivation: string;
};

/** The line of a run that became a row, with the inputs that it was computed from. */
export type PostedLine = Pick<Line, "kind" | "period" | "openingNbv" | "inputs" | "causeId">;

/**
 * The rows of a profile in the order in which they were booked. `lines` are those of its runs. Rows of a disposal follow
 * from the rows before.
 */
export function postedLines(
  profile: Profile,
  rows: readonly LedgerRow[],
  lines: readonly PostedLine[],
  { digits, disposedOn = "" }: { digits: number; disposedOn?: CalendarDate | undefined },
): ScheduleLine[] {
  const computed = new Map(lines.map((line) => [keyOf(line), line]));
  const timeline = timelineOf(profile);
  const money = (minor: number) => formatMoney(minor, digits);
  let [accumulated, charged] = [0, 0];
  return [...rows].sort(byBooking).map((row): ScheduleLine => {
    const { kind, period, amount } = row;
    const line = computed.get(keyOf(row));
    const ofDisposal = kind === "disposal" || kind === "reversal";
    const inputs = ofDisposal ? profile : stretchAt(timeline, monthIndex(period)).inputs;
    const openingNbv = line?.openingNbv ?? inputs.cost - inputs.openingAccumulated - accumulated;
    const before = charged;
    accumulated += amount;
    if (kind !== "impairment") charged += amount;
    const common = { period, kind, status: "posted" as const, openingNbv, amount };
    return { ...common, closingNbv: openingNbv - amount, derivation: derivation() };

    function derivation(): string {
      if (line !== undefined) return describeDerivation(line.inputs, amount, digits);
      if (kind === "reversal")
        return `gives back a charge after the disposal on ${disposedOn} = ${money(amount)}`;
      if (kind === "impairment") {
        const on = timeline.impairments.find(({ id }) => id === row.causeId)?.on ?? period;
        return describeDerivation({ rule: "impairment", on, amount, nbv: openingNbv }, amount, digits);
      }
      const due = `${money(charged)} due up to the disposal on ${disposedOn} by ${inputs.convention}`;
      return `${due} - ${money(before)} charged = ${money(amount)}`;
    }
  });
}

/** The forecast as lines of a schedule. */
export const forecastLines = (lines: readonly Line[], digits: number): ScheduleLine[] =>
  lines.map(({ period, kind, openingNbv, amount, closingNbv, inputs }) => ({
    ...{ period, kind, status: "forecast", openingNbv, amount, closingNbv },
    derivation: describeDerivation(inputs, amount, digits),
  }));

/** The cause of an impairment is its change, so two of one month differ. */
const keyOf = ({
  kind,
  period,
  causeId,
}: Pick<LedgerRow, "kind" | "period"> & { causeId?: string | undefined }): string =>
  kind === "impairment" ? `${kind} ${period} ${causeId ?? ""}` : `${kind} ${period}`;

const orders: Record<LedgerKind, number> = { reversal: 0, impairment: 1, charge: 2, disposal: 3 };

function byBooking(a: LedgerRow, b: LedgerRow): number {
  const booked = a.bookedIn.localeCompare(b.bookedIn);
  if (booked !== 0) return booked;
  // A reversal is of a later month than the disposal, and comes before its row.
  const disposal = Number(a.kind === "disposal") - Number(b.kind === "disposal");
  return disposal || a.period.localeCompare(b.period) || orders[a.kind] - orders[b.kind];
}
