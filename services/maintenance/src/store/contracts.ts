import { type ClientSession, createRecordStore, defineRecords, type Mongo } from "@asset-register/mongo";
import { searchTokens } from "@asset-register/runtime";
import type { Contract } from "../domain/contract.ts";
import { actor } from "./fields.ts";

/** `endKey` is the last day, or a day after all others. */
type ContractKeys = { tokens: string[]; cancelled: boolean; endKey: string };

const NEVER = "9999-12-31";
const filters = ["assetId", "type", "tokens"];

export const contractRecords = defineRecords<Contract, ContractKeys>({
  collection: "contracts",
  name: "contract",
  fields: {
    type: String,
    assetId: String,
    provider: String,
    reference: String,
    startsOn: String,
    endsOn: String,
    cost: Number,
    currency: String,
    notes: String,
    cancelledAt: Date,
    createdAt: Date,
    createdBy: actor(),
    rev: Number,
  },
  beside: { tokens: [String], cancelled: Boolean, endKey: String },
  derive: ({ provider, reference, notes, cancelledAt, endsOn }) => ({
    tokens: searchTokens(provider, reference, notes),
    cancelled: cancelledAt !== undefined,
    endKey: endsOn ?? NEVER,
  }),
  counted: {},
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    ...filters.map((name) => ({ name, key: { workspaceId: 1, [name]: 1, _id: 1 } as const })),
    // The filters by status compare both dates, so that their counts need no documents.
    { name: "end", key: { workspaceId: 1, cancelled: 1, endKey: 1, _id: 1, startsOn: 1 } },
  ],
});

export function createContractStore(mongo: Mongo) {
  const { find, findOne, insert, save } = createRecordStore(mongo, contractRecords);
  return {
    insert,
    save,

    get: (workspaceId: string, id: string, session?: ClientSession): Promise<Contract | undefined> =>
      findOne(workspaceId, { _id: id }, session),

    getMany: (workspaceId: string, ids: readonly string[], session?: ClientSession): Promise<Contract[]> =>
      find(workspaceId, { _id: { $in: [...ids] } }, { session }),
  };
}
