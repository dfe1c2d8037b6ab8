import {
  type ClientSession,
  definedOnly,
  defineRecords,
  embeddedActor,
  type Mongo,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { changedMeanwhile } from "@asset-register/runtime";
import type { Carry } from "../../domain/ledger/ledger.ts";
import type { Book, Profile, ProfileChange } from "../../domain/profiles/profile.ts";
import type { Period } from "../../domain/schedule/period.ts";

/** A profile with what later charges need of its ledger. Transactions that add rows replace the carry. */
export type CarriedProfile = Profile & {
  carry: Carry;
  /** The asset was deleted. */
  endedAt?: Date | undefined;
};

export const profileRecords = defineRecords<CarriedProfile>({
  collection: "profiles",
  name: "depreciation profile",
  fields: {
    assetId: String,
    book: String,
    method: String,
    convention: String,
    cost: Number,
    salvage: Number,
    lifeMonths: Number,
    inServiceDate: String,
    factor: Number,
    rate: Number,
    switchToSl: Boolean,
    macrsClass: String,
    totalUnits: Number,
    openingAccumulated: Number,
    openingOn: String,
    heldForSaleOn: String,
    categoryId: String,
    fiscalYearStart: Number,
    changes: [Object],
    carry: Object,
    assetRev: Number,
    invalidInput: Boolean,
    endedAt: Date,
    rev: Number,
    createdAt: Date,
    createdBy: embeddedActor(),
    updatedAt: Date,
    updatedBy: embeddedActor(),
  },
  indexes: [{ name: "asset", key: { workspaceId: 1, assetId: 1, book: 1 }, unique: true }],
});

export function createProfileStore(mongo: Mongo) {
  const records = profileRecords.store(mongo);
  const { collection, insertMany, list, saveMany } = records;
  const find: typeof records.find = async (...query) => (await records.find(...query)).map(toProfile);

  async function ofAssets(
    workspaceId: string,
    book: Book,
    assetIds: readonly string[],
    session?: ClientSession,
  ): Promise<Map<string, CarriedProfile>> {
    const found = await find(workspaceId, { assetId: { $in: [...assetIds] }, book }, { session });
    return new Map(found.map((profile) => [profile.assetId, profile]));
  }

  return {
    /** The profiles of a book, by asset. */
    ofAssets,

    async get(workspaceId: string, id: string): Promise<CarriedProfile | undefined> {
      const found = await records.get(workspaceId, id);
      return found && toProfile(found);
    },

    /** Those of some assets, in both books. */
    inBothBooks: (
      workspaceId: string,
      assetIds: readonly string[],
      session: ClientSession | undefined,
    ): Promise<CarriedProfile[]> => find(workspaceId, { assetId: { $in: [...assetIds] } }, { session }),

    async ofAsset(
      workspaceId: string,
      book: Book,
      assetId: string,
      session?: ClientSession,
    ): Promise<CarriedProfile | undefined> {
      return (await ofAssets(workspaceId, book, [assetId], session)).get(assetId);
    },

    async listOfAsset(workspaceId: string, assetId: string, page: PageQuery): Promise<Page<CarriedProfile>> {
      const found = await list(workspaceId, page, { filter: { assetId } });
      return { ...found, items: found.items.map(toProfile) };
    },

    insertMany: (
      workspaceId: string,
      profiles: readonly CarriedProfile[],
      session: ClientSession,
    ): Promise<void> => insertMany(workspaceId, profiles.map(toStored), session),

    /** @throws AppError CONFLICT if another change of one of them was saved first */
    saveMany: (
      workspaceId: string,
      changes: readonly { before: CarriedProfile; after: CarriedProfile }[],
      session: ClientSession,
    ): Promise<void> =>
      saveMany(
        workspaceId,
        changes.map(({ before, after }) => ({ before: toStored(before), after: toStored(after) })),
        session,
      ),

    /** Replaces carries in the transaction that adds the rows of the ledger. Returns the profiles with them. */
    async saveCarries(
      workspaceId: string,
      carries: readonly { profileId: string; carry: Carry }[],
      session: ClientSession,
    ): Promise<CarriedProfile[]> {
      if (carries.length === 0) return [];
      const updates = carries.map(({ profileId, carry }) => ({
        updateOne: {
          filter: { workspaceId, _id: profileId },
          update: { $set: { carry: definedOnly(carry) as Carry } },
        },
      }));
      const { matchedCount } = await collection.bulkWrite(updates, { session });
      if (matchedCount < carries.length) throw changedMeanwhile(profileRecords.name);
      const ids = carries.map(({ profileId }) => profileId);
      return await find(workspaceId, { _id: { $in: ids } }, { session });
    },

    /** Replaces the categories in which reports count the values of profiles. It is no change of them. */
    async saveCategories(
      workspaceId: string,
      moved: readonly { profileId: string; categoryId?: string | undefined }[],
      session: ClientSession,
    ): Promise<void> {
      if (moved.length === 0) return;
      const updates = moved.map(({ profileId, categoryId }) => ({
        updateOne: {
          filter: { workspaceId, _id: profileId },
          update:
            categoryId === undefined ? { $unset: { categoryId: 1 as const } } : { $set: { categoryId } },
        },
      }));
      await collection.bulkWrite(updates, { session });
    },
  };
}

/** The release before knew `recordedIn` only. It is written until no process of that release is left. */
type StoredChange = ProfileChange & { recordedIn?: Period };

/** The driver would store null for a field that is undefined. */
const toStored = (profile: CarriedProfile): CarriedProfile => ({
  ...profile,
  carry: definedOnly(profile.carry) as Carry,
  changes: profile.changes.map(
    (change): StoredChange => ({ ...(definedOnly(change) as ProfileChange), recordedIn: change.countsFrom }),
  ),
});

/** With the month from which each change counts, also if the release before has added it. */
const toProfile = (stored: CarriedProfile): CarriedProfile => ({
  ...stored,
  changes: stored.changes.map(({ recordedIn, ...change }: StoredChange) => ({
    ...change,
    countsFrom: change.countsFrom ?? recordedIn,
  })),
});
