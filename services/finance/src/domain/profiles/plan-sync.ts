import type { Actor } from "@asset-register/rpc";
import { AppError } from "@asset-register/runtime";
import type { Disposal } from "../disposals/disposal.ts";
import type { BookState, BookStateChange } from "../ledger/book-state.ts";
import { type Carry, emptyCarry } from "../ledger/ledger.ts";
import { type CalendarDate, earlier, firstDay, type Period, periodAt } from "../schedule/period.ts";
import { firstMonth, timelineOf } from "../schedule/timeline.ts";
import type { KnownAsset } from "./asset.ts";
import type { CategoryDefaults } from "./category.ts";
import { changeProfile, newProfile } from "./change-profile.ts";
import { assetInputs, seedInputs } from "./complete-inputs.ts";
import type { Book, Profile } from "./profile.ts";

type Carried = Profile & { carry: Carry; endedAt?: Date | undefined };

/** An asset, and what is stored of it. */
export type SyncInput = {
  asset: KnownAsset;
  profiles: Partial<Record<Book, Carried>>;
  disposals: readonly Pick<Disposal, "book" | "status">[];
  state?: BookState | undefined;
  defaults?: CategoryDefaults | undefined;
};

export type SyncSetting = {
  workspaceId: string;
  fiscalYearStart: number;
  at: Date;
  /** The present one in the workspace's time zone. */
  month: Period;
  /** Of book `book`. */
  openFrom?: Period | undefined;
  newId(prefix: "prf" | "chg" | "dsp"): string;
};

/** The writes that bring the stored records of an asset up to date. Empty if they are. */
export type SyncPlan = {
  profiles: { before?: Carried | undefined; after: Carried }[];
  disposals: Disposal[];
  state?: { set: Partial<BookState>; change: BookStateChange } | undefined;
  /** The books whose live run is touched, from when on, and whether only if it has lines of the asset. */
  touched: { book: Book; effectiveOn?: CalendarDate | undefined; ofLines?: boolean | undefined }[];
  /** The asset's values make no valid profile. */
  invalid: boolean;
};

const BY_ITSELF: Actor = { kind: "service", id: "finance" };

export const isEmptyPlan = ({ profiles, disposals, state }: SyncPlan): boolean =>
  profiles.length + disposals.length === 0 && state === undefined;

/** Compares the present state of an asset with what is stored: a repeat, also of an older event, finds nothing. */
export function planSync(input: SyncInput, setting: SyncSetting): SyncPlan {
  const plan: SyncPlan = { profiles: [], disposals: [], touched: [], invalid: false };
  const { asset, state } = input;
  if (asset.deletedAt !== undefined) return planEnd(plan, input, asset.deletedAt);
  const isDisposed = input.disposals.length > 0;
  const profile = isDisposed ? input.profiles.book : planProfile(plan, input, setting);
  if (asset.disposal !== undefined && !isDisposed) planDisposals(plan, input, setting);
  const isAccounted = input.disposals.some(({ book, status }) => book === "book" && status === "accounted");
  if (!isAccounted) planState(plan, input, profile);
  const { writeOff } = state ?? {};
  if (writeOff !== undefined && asset.rev > writeOff.assetRev && asset.statusKey !== "lost") {
    plan.state = {
      set: { ...plan.state?.set, writeOff: undefined },
      change: plan.state?.change ?? "writeOffChanged",
    };
  }
  return plan;
}

/** A deleted asset ends its profiles. */
function planEnd(plan: SyncPlan, { profiles, state }: SyncInput, deletedAt: Date): SyncPlan {
  for (const profile of Object.values(profiles)) {
    if (profile.endedAt !== undefined) continue;
    plan.profiles.push({ before: profile, after: { ...profile, endedAt: deletedAt } });
    plan.touched.push({ book: profile.book, ofLines: true });
  }
  if (state !== undefined && state.deletedAt === undefined) {
    plan.state = { set: { deletedAt, writeOff: undefined }, change: "deleted" };
  }
  return plan;
}

/** Makes or changes the profile of `book` by the asset's own fields. Returns the profile after that. */
function planProfile(plan: SyncPlan, input: SyncInput, setting: SyncSetting): Carried | undefined {
  const { asset, profiles } = input;
  const before = profiles.book;
  if (before === undefined) return planSeed(plan, input, setting);
  if (asset.rev <= (before.assetRev ?? 0)) return before;
  const context = { ...changeOf(asset, setting), carry: before.carry };
  const after = edited(before, asset, context);
  if (after === before) return before;
  plan.profiles.push({ before, after });
  const isChanged = after.changes.length > before.changes.length;
  plan.touched.push({ book: "book", effectiveOn: isChanged ? effectOnRuns(before, after) : undefined });
  return after;
}

function edited(before: Carried, asset: KnownAsset, context: Parameters<typeof changeProfile>[2]): Carried {
  try {
    const next = changeProfile(before, { fields: assetInputs(asset) }, context);
    if (next === before) return before;
    const { carry, endedAt } = before;
    const isChanged = next.changes.length > before.changes.length;
    const changes = next.changes.map((change, index) =>
      isChanged && index === next.changes.length - 1 ? { ...change, assetRev: asset.rev } : change,
    );
    return { ...next, changes, carry, endedAt, assetRev: asset.rev };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "invalid") throw error;
    if (before.invalidInput === true) return before;
    const { at, by } = context;
    const stamp = { rev: before.rev + 1, updatedAt: at, updatedBy: by };
    return { ...before, ...stamp, invalidInput: true, assetRev: asset.rev };
  }
}

function planSeed(plan: SyncPlan, input: SyncInput, setting: SyncSetting): Carried | undefined {
  const { asset, defaults } = input;
  const seeded = seedInputs(asset, defaults, setting.month);
  if (seeded === undefined) return undefined;
  if (seeded.inputs === undefined) {
    plan.invalid = true;
    return undefined;
  }
  const { workspaceId, fiscalYearStart } = setting;
  const own = {
    id: setting.newId("prf"),
    workspaceId,
    assetId: asset.id,
    book: "book" as const,
    categoryId: asset.categoryId,
  };
  const given = { ...own, fiscalYearStart, assetRev: asset.rev };
  const made = newProfile(seeded.inputs, given, changeOf(asset, setting));
  const changes = made.changes.map((change) => ({ ...change, assetRev: asset.rev }));
  const after: Carried = { ...made, changes, carry: emptyCarry };
  plan.profiles.push({ after });
  plan.touched.push({ book: "book", effectiveOn: effectOnRuns(undefined, after) });
  return after;
}

const changeOf = ({ updatedBy }: KnownAsset, { newId, at, month, openFrom }: SyncSetting) => ({
  ...{ id: newId("chg"), at, by: updatedBy ?? BY_ITSELF, month, openFrom },
});

/** Book `book` always has one: without a profile the NBV is the cost. */
function planDisposals(plan: SyncPlan, { asset, profiles }: SyncInput, setting: SyncSetting): void {
  if (asset.disposal === undefined) return;
  const { workspaceId, at, newId } = setting;
  const books: Book[] = profiles.tax === undefined ? ["book"] : ["book", "tax"];
  for (const book of books) {
    plan.disposals.push({
      ...{ id: newId("dsp"), workspaceId, assetId: asset.id, book, ...asset.disposal },
      ...{ status: "pending", progress: { done: 0, total: 1 }, createdAt: at },
    });
    plan.touched.push({ book, ofLines: true });
  }
}

/** The published figures follow from the profile; without one the NBV is the cost. */
function planState(plan: SyncPlan, { asset, state }: SyncInput, profile: Carried | undefined): void {
  if (profile === undefined && state === undefined) return;
  const figures = profile === undefined ? { nbv: asset.cost ?? 0, accumulated: 0 } : figuresOf(profile);
  const isSame = state?.nbv === figures.nbv && state.accumulated === figures.accumulated;
  if (!isSame) plan.state = { set: figures, change: "profileChanged" };
}

/** The value of an asset in a book by its profile. */
export function figuresOf(profile: Pick<Profile, "cost" | "openingAccumulated"> & { carry: Carry }) {
  const accumulated = profile.openingAccumulated + profile.carry.accumulated;
  return { nbv: profile.cost - accumulated, accumulated };
}

/**
 * The first day that a change of a profile reaches: that of the change, of its impairment, and of the change that it
 * replaces; of a new profile the first month that can have a charge.
 */
export function effectOnRuns(before: Profile | undefined, after: Profile): CalendarDate {
  if (before === undefined) return firstDay(periodAt(firstMonth(timelineOf(after))));
  const [was, is] = [before.changes.at(-1), after.changes.at(-1)];
  const replaced = after.changes.length > before.changes.length ? undefined : was?.effectiveOn;
  return earlier(earlier(is?.effectiveOn ?? "", is?.impairment?.on), replaced);
}
