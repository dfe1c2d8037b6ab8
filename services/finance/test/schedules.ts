import type { Carry, LedgerRow } from "../src/domain/ledger/ledger.ts";
import { emptyCarry } from "../src/domain/ledger/ledger.ts";
import {
  type Profile,
  type ProfileChange,
  type ProfileInputs,
  withChange,
} from "../src/domain/profiles/profile.ts";
import { computeLines, forecast } from "../src/domain/schedule/lines.ts";
import type { Period } from "../src/domain/schedule/period.ts";
import { periodOf } from "../src/domain/schedule/period.ts";

/** Straight line over 3 years from January 2027, cost 1,200.00. */
export const inputsOf = (inputs: Partial<ProfileInputs> = {}): ProfileInputs => ({
  method: "straight_line",
  convention: "full_month",
  cost: 120_000,
  salvage: 0,
  lifeMonths: 36,
  inServiceDate: "2027-01-01",
  openingAccumulated: 0,
  ...inputs,
});

const by = { kind: "user", id: "usr_1" } as const;
const at = new Date("2027-01-15T12:00:00Z");

/** A change with effect from the first day of a month. */
export const changeOf = (
  effectiveOn: string,
  fields: Partial<ProfileInputs>,
  impairment?: ProfileChange["impairment"],
  cleared?: ProfileChange["cleared"],
): ProfileChange => ({
  id: `chg_${effectiveOn}${impairment === undefined ? "" : `_${impairment.on}`}`,
  ...{ fields, cleared, impairment, effectiveOn, countsFrom: periodOf(effectiveOn), at, by },
});

/** A profile with its creation and later changes. */
export function profileWith(
  inputs: Partial<ProfileInputs>,
  { fiscalYearStart = 1, changes = [] }: { fiscalYearStart?: number; changes?: ProfileChange[] } = {},
): Profile {
  const first = inputsOf(inputs);
  const creation = { ...changeOf(first.inServiceDate, first), id: "chg_0" };
  return {
    ...changes.reduce(withChange, first),
    ...{ id: "prf_1", workspaceId: "wsp_1", assetId: "ast_1", book: "book", fiscalYearStart },
    ...{
      changes: [creation, ...changes],
      rev: 1,
      createdAt: at,
      createdBy: by,
      updatedAt: at,
      updatedBy: by,
    },
  };
}

/** The amounts of a whole schedule, by month. */
export function scheduleOf(
  profile: Profile,
  carry: Carry = emptyCarry,
): { period: Period; amount: number }[] {
  return forecast(profile, carry).map(({ period, amount }) => ({ period, amount }));
}

export const amountsOf = (profile: Profile, carry: Carry = emptyCarry): number[] =>
  scheduleOf(profile, carry).map(({ amount }) => amount);

/** The sums of the years of a schedule, in order. Years begin in `start`. */
export function yearsOf(profile: Profile, start = 1): number[] {
  const years = new Map<number, number>();
  for (const { period, amount } of scheduleOf(profile)) {
    const [year, month] = period.split("-").map(Number) as [number, number];
    const key = month >= start ? year : year - 1;
    years.set(key, (years.get(key) ?? 0) + amount);
  }
  return [...years.values()];
}

/** Posts the lines of a run and returns the new rows with the carry. */
export function postRun(
  profile: Profile,
  carry: Carry,
  through: Period,
): { rows: LedgerRow[]; carry: Carry } {
  const computed = computeLines(profile, carry, through);
  const rows = computed.lines.map(
    ({ period, kind, amount, causeId, units }): LedgerRow => ({
      ...{ profileId: profile.id, assetId: profile.assetId, book: profile.book, kind, period, amount, units },
      ...{ bookedIn: through, causeId: causeId ?? `run_${through}` },
    }),
  );
  return { rows, carry: computed.carry };
}

export const sum = (amounts: Iterable<number>): number => [...amounts].reduce((a, b) => a + b, 0);
