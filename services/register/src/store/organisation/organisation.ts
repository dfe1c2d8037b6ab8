import {
  type ClientSession,
  defineRecords,
  embedded,
  embeddedActor,
  type Mongo,
  setOrUnset,
  unclaimed,
  type WorkRecord,
} from "@asset-register/mongo";
import type { Actor, Page, PageQuery } from "@asset-register/rpc";
import { changedMeanwhile } from "@asset-register/runtime";
import {
  type OrganisationKind,
  type OrganisationRecord,
  parentFields,
  workFields,
} from "../../domain/organisation/organisation.ts";

/** The actor and request that moved the record. The history of the assets below names the same. */
type MovedBy = { actor: Actor; requestId: string };

/** `deleted` makes counts covered by the index. `touches` counts what was created below. */
type OrganisationKeys = { deleted: boolean; touches: number; movedBy: MovedBy; placedAfter: PlacedAfter };

/** The last asset that the work on the assets below has looked at: its reference, and its id. */
export type PlacedAfter = { reference: string; assetId: string };

/** A moved building, floor or location while the assets below it follow. */
export type PlacingRecord = WorkRecord & {
  kind: OrganisationKind;
  movedBy: MovedBy;
  placedAfter?: PlacedAfter;
};

/** All kinds are in one collection: they are referred to together, so one query checks all references of a write. */
export const organisationRecords = defineRecords<OrganisationRecord, OrganisationKeys>({
  collection: "organisation",
  name: "record",
  fields: {
    kind: String,
    name: String,
    code: String,
    address: String,
    level: Number,
    propertyId: String,
    buildingId: String,
    floorId: String,
    parentId: String,
    depreciation: embedded({
      method: String,
      usefulLifeMonths: Number,
      salvagePercent: Number,
      convention: String,
    }),
    email: String,
    employeeNo: String,
    departmentId: String,
    userId: String,
    rev: Number,
    createdAt: Date,
    updatedAt: Date,
    deletedAt: Date,
    status: String,
    progress: embedded({ done: Number, total: Number }),
    deletingUntil: Date,
  },
  beside: {
    deleted: Boolean,
    touches: Number,
    movedBy: embedded({ actor: embeddedActor(), requestId: String }),
    placedAfter: embedded({ reference: String, assetId: String }),
  },
  derive: ({ deletedAt }) => ({ deleted: deletedAt !== undefined }),
  observed: workFields,
  indexes: [
    { name: "list", key: { workspaceId: 1, deleted: 1, kind: 1, _id: 1 } },
    // For the names and codes in cells of an import.
    ...["name", "code"].map((name) => ({
      name,
      key: { workspaceId: 1, deleted: 1, [name]: 1, _id: 1 } as const,
    })),
    // For the references to a record, in deletions and moves.
    ...[...parentFields, "departmentId"].map((name) => ({
      name,
      key: { workspaceId: 1, deleted: 1, [name]: 1, _id: 1 } as const,
    })),
  ],
});

export type RecordName = Pick<OrganisationRecord, "id" | "name" | "parentId">;

export function createOrganisationStore(mongo: Mongo) {
  const { collection, insert, save, findOne, find, list, toRecord } = organisationRecords.store(mongo);
  type Document = Parameters<typeof toRecord>[0];
  return {
    insert,
    save,

    get: (
      workspaceId: string,
      kind: OrganisationKind,
      id: string,
      session?: ClientSession,
    ): Promise<OrganisationRecord | undefined> =>
      findOne(workspaceId, { _id: id, kind, deleted: false }, session),

    /** The records of all kinds with one of these names or codes. */
    findByText: (
      workspaceId: string,
      by: "name" | "code",
      texts: ReadonlySet<string>,
    ): Promise<OrganisationRecord[]> =>
      texts.size === 0
        ? Promise.resolve([])
        : find(workspaceId, { deleted: false, [by]: { $in: [...texts] } }),

    /** By id. */
    async getMany(
      workspaceId: string,
      ids: string[],
      session?: ClientSession,
    ): Promise<Map<string, OrganisationRecord>> {
      if (ids.length === 0) return new Map();
      const found = await find(workspaceId, { _id: { $in: ids }, deleted: false }, { session });
      return new Map(found.map((record) => [record.id, record]));
    },

    /** Deleted records too. */
    getAll: (workspaceId: string, ids: string[], session?: ClientSession): Promise<OrganisationRecord[]> =>
      find(workspaceId, { _id: { $in: ids } }, { session }),

    /** The ids of records directly below these, of the same kind; no more than `limit`. */
    async childIds(workspaceId: string, parentIds: string[], limit: number): Promise<string[]> {
      const children = collection.find(
        { workspaceId, deleted: false, parentId: { $in: parentIds } },
        { projection: { _id: 1 }, limit },
      );
      return (await children.toArray()).map(({ _id }) => _id);
    },

    /** The names of all records, or of those of one kind, with what is above them. Deleted records too. */
    async names(workspaceId: string, kind?: OrganisationKind): Promise<RecordName[]> {
      const found = collection.find<RecordName & { _id: string }>(
        { workspaceId, deleted: { $in: [false, true] }, ...(kind && { kind }) },
        { projection: { name: 1, parentId: 1 } },
      );
      return (await found.toArray()).map(({ _id, name, parentId }) => ({ id: _id, name, parentId }));
    },

    /** The names of these records, deleted ones too. In no order. */
    async namesOf(workspaceId: string, ids: readonly string[]): Promise<Pick<RecordName, "id" | "name">[]> {
      if (ids.length === 0) return [];
      const found = collection.find({ workspaceId, _id: { $in: [...ids] } }, { projection: { name: 1 } });
      return (await found.toArray()).map(({ _id, name }) => ({ id: _id, name }));
    },

    list: (workspaceId: string, kind: OrganisationKind, page: PageQuery): Promise<Page<OrganisationRecord>> =>
      list(workspaceId, page, { filter: { deleted: false, kind }, countCacheMs: 0 }),

    /** All records of these kinds, in no order. */
    all: (workspaceId: string, kinds: OrganisationKind[]): Promise<OrganisationRecord[]> =>
      find(workspaceId, { deleted: false, kind: { $in: kinds } }),

    /** The ids of the records above by `parent_id`. */
    async ancestorIds(workspaceId: string, id: string, session: ClientSession): Promise<string[]> {
      const [found] = await collection
        .aggregate<{ ids: string[] }>(
          [
            { $match: { workspaceId, _id: id } },
            {
              $graphLookup: {
                ...{ from: "organisation", startWith: "$parentId", as: "above" },
                ...{ connectFromField: "parentId", connectToField: "_id" },
                restrictSearchWithMatch: { workspaceId },
              },
            },
            { $project: { ids: "$above._id" } },
          ],
          { session },
        )
        .toArray();
      return found?.ids ?? [];
    },

    /** The places below a building, floor or location, at most `limit`. A nested location comes after its parent. */
    async below(
      { workspaceId, id, kind }: Pick<OrganisationRecord, "workspaceId" | "id" | "kind">,
      { limit, session }: { limit?: number; session?: ClientSession } = {},
    ): Promise<OrganisationRecord[]> {
      const level = kind === "building" ? "buildingId" : kind === "floor" ? "floorId" : undefined;
      if (level) return find(workspaceId, { deleted: false, [level]: id }, { limit, session });
      const found = collection.aggregate<Document>(
        [
          { $match: { workspaceId, _id: id } },
          {
            $graphLookup: {
              ...{ from: "organisation", startWith: "$_id", as: "below", depthField: "depth" },
              ...{ connectFromField: "_id", connectToField: "parentId" },
              restrictSearchWithMatch: { workspaceId, deleted: false },
            },
          },
          { $unwind: "$below" },
          ...(limit === undefined ? [] : [{ $limit: limit }]),
          { $replaceWith: "$below" },
          { $sort: { depth: 1 } },
        ],
        session && { session },
      );
      return (await found.toArray()).map(toRecord);
    },

    /** The records whose assets are being placed. */
    placing: (workspaceId: string, session: ClientSession): Promise<OrganisationRecord[]> =>
      find(workspaceId, { status: "placing" }, { session }),

    /** A write on the parents of a new record, so that a move of one of them at the same time conflicts with it. */
    async touch(workspaceId: string, ids: string[], session: ClientSession): Promise<void> {
      if (ids.length === 0) return;
      await collection.updateMany({ workspaceId, _id: { $in: ids } }, { $inc: { touches: 1 } }, { session });
    },

    /**
     * Saves the places of changed records.
     * @throws AppError CONFLICT when another change of one of them was saved first
     */
    async savePlaces(
      workspaceId: string,
      records: readonly OrganisationRecord[],
      session: ClientSession,
    ): Promise<void> {
      if (records.length === 0) return;
      const updates = records.map(({ id, rev, updatedAt, propertyId, buildingId, floorId }) => ({
        updateOne: {
          filter: { _id: id, workspaceId, rev: rev - 1 },
          update: setOrUnset({ rev, updatedAt, propertyId, buildingId, floorId }),
        },
      }));
      const { matchedCount } = await collection.bulkWrite(updates, { session, ordered: false });
      if (matchedCount < records.length) throw changedMeanwhile("record");
    },

    /** Starts the work on the assets below, also while an earlier move of the record is not finished. */
    async startPlacing(workspaceId: string, id: string, movedBy: MovedBy, session: ClientSession) {
      await collection.updateOne(
        { _id: id, workspaceId },
        {
          $set: { status: "placing", progress: { done: 0, total: 0 }, movedBy, ...unclaimed },
          $unset: { placedAfter: true },
        },
        { session },
      );
    },

    /** How many records refer to a record, at most `limit` of each. */
    async countReferences(
      { workspaceId, id, kind }: OrganisationRecord,
      limit: number,
      session: ClientSession,
    ): Promise<{ records: number; custodians: number }> {
      const count = (filter: object) =>
        collection.countDocuments({ workspaceId, deleted: false, ...filter }, { limit, session });
      if (kind === "custodian") return { records: 0, custodians: 0 };
      const nested = kind === "category" || kind === "location" || kind === "department";
      return {
        records: await count({ [nested ? "parentId" : `${kind}Id`]: id }),
        custodians: kind === "department" ? await count({ departmentId: id }) : 0,
      };
    },

    /** From now on, for `ms` by the clock of the database, nothing new may refer to the record. */
    async markDeleting(workspaceId: string, id: string, ms: number, session: ClientSession): Promise<void> {
      const until = { deletingUntil: { $add: ["$$NOW", ms] } };
      await collection.updateOne({ _id: id, workspaceId }, [{ $set: until }], { session });
    },

    async unmarkDeleting(workspaceId: string, id: string): Promise<void> {
      await collection.updateOne({ _id: id, workspaceId }, { $unset: { deletingUntil: true } });
    },
  };
}
