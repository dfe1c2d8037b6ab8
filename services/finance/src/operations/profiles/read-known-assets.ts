import type { ClientSession } from "@asset-register/mongo";
import { unavailable } from "@asset-register/runtime";
import type { WorkspaceProjection } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { Disposal } from "../../domain/disposals/disposal.ts";
import type { BookState } from "../../domain/ledger/book-state.ts";
import type { KnownAsset } from "../../domain/profiles/asset.ts";
import type { CategoryDefaults } from "../../domain/profiles/category.ts";
import type { Book } from "../../domain/profiles/profile.ts";
import { nextPeriod, type Period, periodOf } from "../../domain/schedule/period.ts";
import type { CarriedProfile } from "../../store/profiles/profiles.ts";
import { today } from "../today.ts";

/** All records of this service about an asset. */
export type KnownBooks = {
  asset: KnownAsset;
  profiles: Partial<Record<Book, CarriedProfile>>;
  disposals: Disposal[];
  state?: BookState | undefined;
  /** Of its nearest category that has some. */
  defaults?: CategoryDefaults | undefined;
};

/** The inputs of changes of profiles, besides the asset. */
export type Setting = {
  workspace: WorkspaceProjection;
  at: Date;
  /** The present one in the workspace's time zone. */
  month: Period;
};

/** @throws AppError UNAVAILABLE before the first event of the workspace has arrived */
export async function readSetting({ stores, now }: Context, workspaceId: string): Promise<Setting> {
  const workspace = await stores.workspaces.get(workspaceId);
  if (!workspace) throw unavailable("The workspace is being set up. Retry later.");
  const at = now();
  return { workspace, at, month: periodOf(today(at, workspace.timeZone)) };
}

/** The first month of a book that a change may reach: after the last posted one, or the one that is being posted. */
export async function openFrom(
  { stores }: Context,
  workspaceId: string,
  book: Book,
  session?: ClientSession,
): Promise<Period | undefined> {
  const last = await stores.runs.lastClosed(workspaceId, book, session);
  return last === undefined ? undefined : nextPeriod(last);
}

/** That of each book. */
export async function openMonthsOf(
  context: Context,
  workspaceId: string,
  session?: ClientSession,
): Promise<Partial<Record<Book, Period>>> {
  // One after the other: a transaction runs one operation at a time.
  const book = await openFrom(context, workspaceId, "book", session);
  return { book, tax: await openFrom(context, workspaceId, "tax", session) };
}

/** Reads some assets. Unknown ones are left out. */
export async function readKnownAssets(
  context: Context,
  workspaceId: string,
  ids: readonly string[],
  session?: ClientSession,
): Promise<KnownBooks[]> {
  const { stores } = context;
  // One after the other: a transaction runs one operation at a time.
  const assets = await stores.assets.getMany(workspaceId, ids, session);
  const profiles = await readProfiles(context, workspaceId, ids, session);
  const states = await stores.bookStates.getMany(workspaceId, ids, session);
  const disposals = await stores.disposals.ofAssets(workspaceId, ids, session);
  const categoryIds = [...assets.values()].flatMap(({ categoryId }) => categoryId ?? []);
  const defaults = await stores.categories.defaultsOf(workspaceId, categoryIds, session);
  const profilesOf = Map.groupBy(profiles, ({ assetId }) => assetId);
  const disposalsOf = Map.groupBy(disposals, ({ assetId }) => assetId);
  return [...assets.values()].map((asset) => ({
    asset,
    profiles: Object.fromEntries((profilesOf.get(asset.id) ?? []).map((profile) => [profile.book, profile])),
    disposals: disposalsOf.get(asset.id) ?? [],
    state: states.get(asset.id),
    defaults: asset.categoryId === undefined ? undefined : defaults.get(asset.categoryId),
  }));
}

/**
 * The profiles of both books. While a run of a book is posting, its lines count as posted: a change at this moment may
 * not reach their months.
 */
export async function readProfiles(
  { stores }: Context,
  workspaceId: string,
  ids: readonly string[],
  session?: ClientSession,
): Promise<CarriedProfile[]> {
  const profiles = await stores.profiles.inBothBooks(workspaceId, ids, session);
  const carries = new Map<string, CarriedProfile["carry"]>();
  for (const book of new Set(profiles.map((profile) => profile.book))) {
    const posting = await stores.runs.findPosting(workspaceId, book, session);
    if (posting === undefined) continue;
    const own = await stores.runLines.carriesOf(workspaceId, posting.id, ids, session);
    for (const [assetId, carry] of own) carries.set(`${book} ${assetId}`, carry);
  }
  return profiles.map((profile) => {
    const carry = carries.get(`${profile.book} ${profile.assetId}`);
    return carry === undefined ? profile : { ...profile, carry };
  });
}
