import type { Actor } from "@asset-register/rpc";
import { AppError, type FieldViolation, invalid } from "@asset-register/runtime";
import { nbvOf } from "./carry.ts";
import { withDefaults } from "./complete-inputs.ts";
import { type Carry, hasRows } from "./ledger.ts";
import { computeLines } from "./lines.ts";
import {
  type CalendarDate,
  earlier,
  firstDay,
  isFirstDay,
  later,
  monthIndex,
  type Period,
  periodAt,
  periodOf,
  previousPeriod,
} from "./period.ts";
import type { Impairment, OptionalInput, Profile, ProfileChange, ProfileInputs } from "./profile.ts";
import { withChange } from "./profile.ts";
import { firstMonth, stretchAt, timelineOf } from "./timeline.ts";
import { macrsConventions, validateInputs } from "./validate-inputs.ts";

/** What a caller or an event writes. Fields that are not given stay. */
export type ProfileEdit = {
  fields: Partial<ProfileInputs>;
  /** Ends a time held for sale: `held_for_sale_on: null`. */
  endHeldForSale?: boolean | undefined;
  impairment?: Impairment | undefined;
  effectiveOn?: CalendarDate | undefined;
};

export type ChangeContext = {
  /** Of the change. */
  id: string;
  at: Date;
  by: Actor;
  /** The present month in the workspace's time zone. */
  month: Period;
  /** The month after the last posted one of the book, or after the one that is being posted. */
  openFrom?: Period | undefined;
  carry: Carry;
};

/** The inputs that only one method has. */
const ownInputs: [method: ProfileInputs["method"], field: OptionalInput][] = [
  ["declining_balance", "factor"],
  ["declining_balance", "rate"],
  ["declining_balance", "switchToSl"],
  ["macrs", "macrsClass"],
  ["units_of_production", "totalUnits"],
];

/** A profile with its creation. */
export function newProfile(
  inputs: ProfileInputs,
  given: Pick<
    Profile,
    "id" | "workspaceId" | "assetId" | "book" | "categoryId" | "fiscalYearStart" | "assetRev"
  >,
  { id, at, by, month, openFrom }: Omit<ChangeContext, "carry">,
): Profile {
  const fields = definedInputs(inputs);
  const first = periodOf(inputs.openingOn ?? inputs.inServiceDate);
  // A run may still post earlier months than the present one: they show the value that they charge.
  const recordedIn = later(earlier(month, first), openFrom);
  const creation = { id, fields, effectiveOn: firstDay(first), recordedIn, at, by };
  return {
    ...{ ...inputs, ...given, changes: [creation], rev: 1 },
    ...{ createdAt: at, createdBy: by, updatedAt: at, updatedBy: by },
  };
}

/**
 * The profile after a change, which is prospective (IAS 8). Returns the profile itself if nothing differs. While the
 * profile has no ledger row, the whole schedule is computed again.
 *
 * @throws AppError VALIDATION_FAILED or PROFILE_PERIOD_POSTED, which name the fields
 */
export function changeProfile(profile: Profile, edit: ProfileEdit, context: ChangeContext): Profile {
  const { id, at, by, month, openFrom, carry } = context;
  const before = inputsOf(profile);
  const after = editedInputs(before, edit, month);
  const given = Object.keys(edit.fields) as (keyof ProfileInputs)[];
  const violations = validateInputs(after, given);
  if (after.cost < after.openingAccumulated + carry.accumulated && after.cost !== before.cost) {
    violations.push({ field: "cost", message: "must not be less than what is charged already" });
  }
  if (violations.length > 0) throw invalid(violations);
  const changed = differences(before, after);
  const stamp = { invalidInput: undefined, rev: profile.rev + 1, updatedAt: at, updatedBy: by };
  if (isEmpty(changed) && edit.impairment === undefined) {
    // Values that had made no valid profile are corrected to what they were before.
    return profile.invalidInput === true ? { ...profile, ...stamp } : profile;
  }
  const effectiveOn = effectOf(profile, after, edit, context);
  const change: ProfileChange = {
    ...{ id, ...changed, impairment: edit.impairment, effectiveOn },
    // Without rows the whole schedule is computed again, as for a creation.
    recordedIn: later(hasRows(carry) ? month : earlier(month, profile.changes[0]?.recordedIn), openFrom),
    ...{ at, by },
  };
  const next: Profile = {
    ...withChange(before, change),
    ...ownOf(profile),
    ...{ changes: [...profile.changes, change], ...stamp },
  };
  if (edit.impairment !== undefined) assertImpairment(profile, next, edit.impairment, carry);
  return next;
}

/** The inputs of a profile, without what is known about it. */
export function inputsOf(profile: ProfileInputs): ProfileInputs {
  const { method, convention, cost, salvage, lifeMonths, inServiceDate, factor, rate, switchToSl } = profile;
  const { macrsClass, totalUnits, openingAccumulated, openingOn, heldForSaleOn } = profile;
  return {
    ...{ method, convention, cost, salvage, lifeMonths, inServiceDate, factor, rate, switchToSl },
    ...{ macrsClass, totalUnits, openingAccumulated, openingOn, heldForSaleOn },
  };
}

function ownOf(profile: Profile) {
  const { id, workspaceId, assetId, book, categoryId, fiscalYearStart, assetRev } = profile;
  const { createdAt, createdBy } = profile;
  return { id, workspaceId, assetId, book, categoryId, fiscalYearStart, assetRev, createdAt, createdBy };
}

function editedInputs(before: ProfileInputs, edit: ProfileEdit, month: Period): ProfileInputs {
  const given = edit.fields;
  const merged: ProfileInputs = { ...before, ...given };
  if (edit.endHeldForSale === true) merged.heldForSaleOn = undefined;
  for (const [method, field] of ownInputs) {
    if (merged.method !== method && given[field] === undefined) Object.assign(merged, { [field]: undefined });
  }
  if (given.rate !== undefined && given.factor === undefined) merged.factor = undefined;
  if (given.factor !== undefined && given.rate === undefined) merged.rate = undefined;
  if (merged.openingAccumulated === 0 && given.openingOn === undefined) merged.openingOn = undefined;
  // The convention stays, unless the new method does not have it.
  const stays = merged.method !== "macrs" || macrsConventions(merged.macrsClass).includes(merged.convention);
  const convention = given.convention ?? (stays ? merged.convention : undefined);
  return withDefaults({ ...merged, convention }, month);
}

function differences(before: ProfileInputs, after: ProfileInputs): Pick<ProfileChange, "fields" | "cleared"> {
  const names = Object.keys(after) as (keyof ProfileInputs)[];
  const changed = names.filter((name) => before[name] !== after[name]);
  const cleared = changed.filter((name): name is OptionalInput => after[name] === undefined);
  const set = changed.filter((name) => after[name] !== undefined);
  const fields: Partial<ProfileInputs> = Object.fromEntries(set.map((name) => [name, after[name]]));
  return cleared.length > 0 ? { fields, cleared } : { fields };
}

const isEmpty = ({ fields, cleared = [] }: Pick<ProfileChange, "fields" | "cleared">): boolean =>
  Object.keys(fields).length + cleared.length === 0;

const definedInputs = (inputs: ProfileInputs): Partial<ProfileInputs> =>
  Object.fromEntries(Object.entries(inputsOf(inputs)).filter(([, value]) => value !== undefined));

/** The first day of the first month that uses the change. */
function effectOf(
  profile: Profile,
  after: ProfileInputs,
  edit: ProfileEdit,
  { openFrom, carry }: ChangeContext,
): CalendarDate {
  const first = hasRows(carry) ? openFrom : undefined;
  const effectiveOn = edit.effectiveOn ?? firstDay(first ?? firstPeriod(profile, after));
  const posted: FieldViolation[] = [];
  const inPosted = (field: string, date: CalendarDate | undefined) => {
    if (date === undefined || first === undefined || periodOf(date) >= first) return;
    posted.push({ field, message: `must not be before ${firstDay(first)}: the months before are posted` });
  };
  if (!isFirstDay(effectiveOn)) {
    throw invalid([{ field: "effective_on", message: "must be the first day of a month" }]);
  }
  inPosted("effective_on", edit.effectiveOn);
  inPosted("held_for_sale_on", edit.fields.heldForSaleOn);
  inPosted("impairment.on", edit.impairment?.on);
  if (posted.length > 0) throw periodPosted(posted);
  const { heldForSaleOn } = edit.fields;
  if (edit.effectiveOn !== undefined && heldForSaleOn !== undefined && heldForSaleOn < edit.effectiveOn) {
    throw invalid([{ field: "held_for_sale_on", message: "must not be before effective_on" }]);
  }
  return effectiveOn;
}

/** The first month of the schedule, before or after the change. */
function firstPeriod(profile: Profile, after: ProfileInputs): Period {
  const changed = periodOf(after.openingOn ?? after.inServiceDate);
  return earlier(periodAt(firstMonth(timelineOf(profile))), changed);
}

function assertImpairment(before: Profile, after: Profile, { amount, on }: Impairment, carry: Carry): void {
  const field = "impairment.amount";
  if (after.method === "macrs") throw invalid([{ field: "impairment", message: "is not for macrs" }]);
  if (!Number.isSafeInteger(amount) || amount <= 0)
    throw invalid([{ field, message: "must be more than 0" }]);
  const known = {
    ...after,
    changes: [...before.changes, { ...(after.changes.at(-1) as ProfileChange), impairment: undefined }],
  };
  const charged = computeLines(known, carry, previousPeriod(periodOf(on))).carry;
  const nbv = nbvOf(stretchAt(timelineOf(known), monthIndex(periodOf(on))).inputs, charged);
  if (amount > nbv)
    throw invalid([{ field, message: "must not be more than the net book value of that day" }]);
}

function periodPosted(violations: FieldViolation[]): AppError {
  const message = "The months before are posted. Choose a later date.";
  return new AppError({ kind: "invalid", code: "PROFILE_PERIOD_POSTED", message, violations });
}
