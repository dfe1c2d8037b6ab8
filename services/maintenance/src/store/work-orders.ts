import {
  type ClientSession,
  defineRecords,
  embedded,
  embeddedActor,
  type Mongo,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { searchTokens } from "@asset-register/runtime";
import { isUnfinished, type WorkOrder } from "../domain/work-orders/work-order.ts";

type WorkOrderKeys = { tokens: string[]; unfinished: boolean };

export type WorkOrderFilter = Partial<
  Pick<WorkOrder, "status" | "type" | "assetId" | "assignedTo" | "priority" | "pmScheduleId">
> & {
  /** The beginnings of words that title and description have. */
  prefixes?: readonly string[];
};

const filters = ["status", "type", "assetId", "assignedTo", "priority", "pmScheduleId", "tokens"];

/** One unfinished order for each schedule and asset, also under a race. */
export const ONE_UNFINISHED = "one_unfinished";

export const workOrderRecords = defineRecords<WorkOrder, WorkOrderKeys>({
  collection: "work_orders",
  name: "work order",
  fields: {
    assetId: String,
    title: String,
    type: String,
    priority: String,
    status: String,
    description: String,
    assignedTo: String,
    dueAt: Date,
    pmScheduleId: String,
    pmDueOn: String,
    assetDown: Boolean,
    labourMinutes: Number,
    labourRate: Number,
    parts: [embedded({ name: String, quantity: Number, unitCost: Number })],
    otherCost: Number,
    currency: String,
    notes: String,
    startedAt: Date,
    completedAt: Date,
    completedOn: String,
    downSince: Date,
    downtimeMs: Number,
    createdAt: Date,
    createdBy: embeddedActor(),
    rev: Number,
  },
  beside: { tokens: [String], unfinished: Boolean },
  derive: (order) => ({
    tokens: searchTokens(order.title, order.description),
    unfinished: isUnfinished(order),
  }),
  counted: {},
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    // One for each filter, in the order of lists.
    ...filters.map((name) => ({ name, key: { workspaceId: 1, [name]: 1, _id: 1 } as const })),
    {
      name: "unfinished",
      key: { workspaceId: 1, assetId: 1, unfinished: 1, _id: 1 },
      partialFilterExpression: { unfinished: true },
    },
    {
      name: ONE_UNFINISHED,
      key: { workspaceId: 1, pmScheduleId: 1, assetId: 1 },
      unique: true,
      partialFilterExpression: { unfinished: true, pmScheduleId: { $exists: true } },
    },
  ],
});

export function createWorkOrderStore(mongo: Mongo) {
  const { get, find, insert, insertMany, list, save } = workOrderRecords.store(mongo);
  return {
    insert,
    insertMany,
    save,
    get,

    list: (
      workspaceId: string,
      { prefixes = [], ...fields }: WorkOrderFilter,
      page: PageQuery,
    ): Promise<Page<WorkOrder>> => {
      // Words have letters, marks and digits only: no character has a meaning in a pattern.
      const words = prefixes.map((prefix) => ({ tokens: { $regex: `^${prefix}` } }));
      const filter = { ...fields, ...(words.length > 0 && { $and: words }) };
      return list(workspaceId, page, { filter });
    },

    /** Unfinished orders that were generated from some schedules for some assets. */
    unfinishedOf: (
      workspaceId: string,
      pmScheduleIds: readonly string[],
      assetIds: readonly string[],
      session?: ClientSession,
    ): Promise<WorkOrder[]> => {
      const schedules = { pmScheduleId: { $in: [...pmScheduleIds] } };
      return find(
        workspaceId,
        { ...schedules, assetId: { $in: [...assetIds] }, unfinished: true },
        { session },
      );
    },

    /** Unfinished orders of some assets, in order of id. */
    listUnfinished: (
      workspaceId: string,
      assetIds: readonly string[],
      limit: number,
      session?: ClientSession,
    ): Promise<WorkOrder[]> =>
      find(
        workspaceId,
        { assetId: { $in: [...assetIds] }, unfinished: true },
        { session, sort: { _id: 1 }, limit },
      ),
  };
}
