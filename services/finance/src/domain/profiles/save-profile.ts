import { invalid } from "@asset-register/runtime";
import { type Carry, emptyCarry } from "../ledger/ledger.ts";
import type { KnownAsset } from "./asset.ts";
import type { CategoryDefaults } from "./category.ts";
import {
  type ChangeContext,
  changeProfile,
  isPosted,
  newProfile,
  type ProfileEdit,
} from "./change-profile.ts";
import { assetInputs, completeInputs, knownInputs } from "./complete-inputs.ts";
import { type Book, type Profile, type ProfileChange, type ProfileInputs, withChange } from "./profile.ts";

type Carried = Profile & { carry: Carry };

/** Register's answer to the write of its fields: their rev, and whether this call or an earlier try changed them. */
export type RegisterAnswer = { rev: number; changed: boolean };

export type SaveInput = { book: Book; edit: ProfileEdit; answer?: RegisterAnswer | undefined };

export type SaveContext = Omit<ChangeContext, "carry"> & {
  fiscalYearStart: number;
  workspaceId: string;
  newId(): string;
};

type Known<P> = {
  asset: KnownAsset;
  profiles: Partial<Record<Book, P>>;
  defaults?: CategoryDefaults | undefined;
};

/**
 * The profile as a caller makes or changes it. `after` is `stored` itself if nothing differs.
 *
 * @throws AppError VALIDATION_FAILED, PROFILE_PERIOD_POSTED
 */
export function editProfile<P extends Carried>(
  known: Known<P>,
  { book, edit, answer }: SaveInput,
  context: SaveContext,
): { stored: P | undefined; after: P | Carried; created: boolean } {
  const { asset } = known;
  const stored = known.profiles[book];
  const echoes = stored === undefined ? [] : openEchoes(stored, answer, context);
  const base = stored && withoutLastChanges(stored, echoes.length);
  // The profile takes all values of the rev that it names: another change of the asset may have come before or between.
  const newer = answer !== undefined && asset.rev >= answer.rev ? assetInputs(asset) : {};
  // Defaults that the event has seeded are not the caller's.
  const seeded = Object.assign({}, ...echoes.map((echo) => registerFields(echo.fields)));
  const fields = { ...seeded, ...edit.fields, ...newer };
  const assetRev = answer && Math.max(answer.rev, asset.rev, stored?.assetRev ?? 0);
  if (base === undefined) {
    const made = create(known, { book, edit: { ...edit, fields }, id: stored?.id, assetRev }, context);
    return { stored, after: { ...made, rev: (stored?.rev ?? 0) + 1 }, created: true };
  }
  const given = Object.keys(edit.fields);
  const next = changeProfile(base, { ...edit, fields }, { ...context, carry: base.carry, given });
  if (next === base && stored !== undefined) return { stored, after: stored, created: false };
  const own = { assetRev: assetRev ?? base.assetRev, rev: (stored?.rev ?? 0) + 1 };
  return { stored, after: { ...base, ...next, ...own }, created: false };
}

/**
 * How many of the last changes of a profile are events of what register has written for this call: all, if events made
 * the profile since then, since their defaults are not the caller's; else the last one or none.
 */
export function countEchoes(
  { changes }: Pick<Profile, "changes">,
  answer: RegisterAnswer | undefined,
): number {
  if (answer?.changed !== true) return 0;
  if (changes.every(({ assetRev = 0 }) => assetRev >= answer.rev)) return changes.length;
  return changes.at(-1)?.assetRev === answer.rev ? 1 : 0;
}

/** These changes, which the caller's one replaces. None if one of them is posted. */
function openEchoes(
  profile: Carried,
  answer: RegisterAnswer | undefined,
  context: SaveContext,
): ProfileChange[] {
  const { changes, carry } = profile;
  const echoes = changes.slice(changes.length - countEchoes(profile, answer));
  return echoes.some((echo) => isPosted(echo, { ...context, carry })) ? [] : echoes;
}

/** The fields that register owns. */
function registerFields({
  method,
  cost,
  salvage,
  lifeMonths,
  inServiceDate,
}: Partial<ProfileInputs> = {}): Partial<ProfileInputs> {
  return definedOnly({ method, cost, salvage, lifeMonths, inServiceDate });
}

/** The profile before its last changes. Undefined if its creation is one of them. */
function withoutLastChanges<P extends Carried>(profile: P, count: number): P | undefined {
  if (count === 0) return profile;
  const changes = profile.changes.slice(0, -count);
  const [creation, ...later] = changes;
  if (creation === undefined) return undefined;
  // The creation has all fields.
  const inputs = later.reduce(withChange, creation.fields as ProfileInputs);
  return { ...profile, ...inputs, changes };
}

type Creation = {
  book: Book;
  edit: ProfileEdit;
  id: string | undefined;
  assetRev: number | undefined;
};

function create(
  { asset, defaults }: Known<Carried>,
  { book, edit, id, assetRev }: Creation,
  context: SaveContext,
): Carried {
  const { effectiveOn, impairment, fields } = edit;
  const violations = [
    ...(effectiveOn === undefined ? [] : ["effective_on"]),
    ...(impairment === undefined ? [] : ["impairment"]),
  ].map((field) => ({ field, message: "is for the change of a profile; the asset has none yet" }));
  if (violations.length > 0) throw invalid(violations);
  const own = {
    cost: fields.cost ?? asset.cost,
    salvageValue: fields.salvage ?? asset.salvageValue,
    usefulLifeMonths: fields.lifeMonths ?? asset.usefulLifeMonths,
    inServiceDate: fields.inServiceDate ?? asset.inServiceDate,
    depreciationMethod: fields.method ?? asset.depreciationMethod,
  };
  // A tax profile has its own values.
  const given = book === "tax" ? fields : { ...knownInputs(own, defaults), ...fields };
  const checked = completeInputs(definedOnly(given), context.month);
  if (checked.inputs === undefined) throw invalid(checked.violations);
  const { workspaceId, fiscalYearStart, newId } = context;
  const made = {
    id: id ?? newId(),
    workspaceId,
    assetId: asset.id,
    book,
    categoryId: asset.categoryId,
    fiscalYearStart,
  };
  const rev = book === "tax" ? undefined : (assetRev ?? asset.rev);
  return { ...newProfile(checked.inputs, { ...made, assetRev: rev }, context), carry: emptyCarry };
}

const definedOnly = (fields: Partial<ProfileInputs>): Partial<ProfileInputs> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
