import type { Actor } from "@asset-register/rpc";
import { AppError, type FieldViolation, invalid } from "@asset-register/runtime";
import { type Carry, hasRows } from "../ledger/ledger.ts";
import { nbvOf } from "../schedule/carry.ts";
import { computeLines } from "../schedule/lines.ts";
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
} from "../schedule/period.ts";
import { firstMonth, stretchAt, timelineOf } from "../schedule/timeline.ts";
import { withDefaults } from "./complete-inputs.ts";
import type { Impairment, OptionalInput, Profile, ProfileChange, ProfileInputs } from "./profile.ts";
import { inputsOf, withChange } from "./profile.ts";
import { macrsConventions, validateInputs } from "./validate-inputs.ts";

/** The edit of a profile by a caller or an event. Absent fields stay as they are. */
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
  /** The fields that the caller gave. All of the edit by default. */
  given?: readonly string[] | undefined;
};

/** The inputs that only one method has. */
const ownInputs: [method: ProfileInputs["method"], field: OptionalInput][] = [
  ["declining_balance", "factor"],
  ["declining_balance", "rate"],
  ["declining_balance", "switchToSl"],
  ["macrs", "macrsClass"],
  ["units_of_production", "totalUnits"],
];

/** The fields of charges that were made elsewhere. They would replace charges that are posted. */
const openings = [
  ["openingAccumulated", "opening_accumulated"],
  ["openingOn", "opening_on"],
] as const;

/** A profile with its creation. */
export function newProfile(
  inputs: ProfileInputs,
  given: Pick<
    Profile,
    "id" | "workspaceId" | "assetId" | "book" | "categoryId" | "fiscalYearStart" | "assetRev"
  >,
  { id, at, by, openFrom }: Omit<ChangeContext, "carry" | "month">,
): Profile {
  const fields = definedInputs(inputs);
  const first = periodOf(inputs.openingOn ?? inputs.inServiceDate);
  const creation = { id, fields, effectiveOn: firstDay(first), countsFrom: later(first, openFrom), at, by };
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
    const moved = movedChange(profile, edit, context);
    if (moved !== undefined) return { ...profile, ...stamp, changes: moved };
    // Values that had made no valid profile are corrected to what they were before.
    return profile.invalidInput === true ? { ...profile, ...stamp } : profile;
  }
  const effectiveOn = effectOf(profile, after, edit, context);
  const impairment = edit.impairment;
  const countsFrom = later(periodOf(effectiveOn), openFrom);
  const change: ProfileChange = { id, ...changed, impairment, effectiveOn, countsFrom, at, by };
  const next: Profile = {
    ...withChange(before, change),
    ...ownOf(profile),
    ...{ changes: counted([...profile.changes, change], profile, context), ...stamp },
  };
  if (edit.impairment !== undefined) assertImpairment(profile, next, edit.impairment, carry);
  return next;
}

/**
 * The changes with the newest one at another month, for an edit that has an effective_on and no other difference.
 * Undefined if the newest one is posted, lacks a field that is given, or is at that month already.
 */
function movedChange(
  profile: Profile,
  edit: ProfileEdit,
  context: ChangeContext,
): ProfileChange[] | undefined {
  const { openFrom, carry, given = Object.keys(edit.fields) } = context;
  const newest = profile.changes.at(-1);
  if (edit.effectiveOn === undefined || newest === undefined || profile.changes.length === 1)
    return undefined;
  if (edit.effectiveOn === newest.effectiveOn || isPosted(newest, context)) return undefined;
  const isOther = given.some((name) => !(name in newest.fields));
  if (isOther || (edit.endHeldForSale === true && !newest.cleared?.includes("heldForSaleOn")))
    return undefined;
  const effectiveOn = effectOf(profile, inputsOf(profile), edit, { openFrom, carry });
  const moved = { ...newest, effectiveOn, countsFrom: later(periodOf(effectiveOn), openFrom) };
  return counted([...profile.changes.slice(0, -1), moved], profile, context);
}

/** Whether a change is in force in a posted month already. */
export function isPosted(
  { effectiveOn }: Pick<ProfileChange, "effectiveOn">,
  { openFrom, carry }: Pick<ChangeContext, "openFrom" | "carry">,
): boolean {
  return hasRows(carry) && openFrom !== undefined && periodOf(effectiveOn) < openFrom;
}

/**
 * Changes whose values count from where their charges can be. Without a ledger row the whole schedule is computed again,
 * and may begin earlier than before. No change counts before the creation.
 */
function counted(
  changes: readonly ProfileChange[],
  { fiscalYearStart }: Profile,
  { openFrom, carry }: ChangeContext,
): ProfileChange[] {
  const [creation, ...others] = changes;
  if (creation === undefined) return [];
  const first = later(periodAt(firstMonth(timelineOf({ fiscalYearStart, changes: [...changes] }))), openFrom);
  const from = hasRows(carry) ? creation.countsFrom : earlier(creation.countsFrom, first);
  return [
    { ...creation, countsFrom: from },
    ...others.map((change) => ({ ...change, countsFrom: later(change.countsFrom, from) })),
  ];
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
  { openFrom, carry }: Pick<ChangeContext, "openFrom" | "carry">,
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
  for (const [field, name] of openings) {
    if (!hasRows(carry) || edit.fields[field] === undefined || profile[field] === after[field]) continue;
    posted.push({ field: name, message: "must not change: months of the profile are posted" });
  }
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
