import { definedOnly, defineRecords, embeddedActor, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { searchTokens } from "@asset-register/runtime";
import type { Contract, ContractType } from "../domain/contracts/contract.ts";
import { type ContractStatus, daysAfter, EXPIRING_DAYS, NEVER } from "../domain/contracts/contract-status.ts";

/** `endKey` is the last day, or a day after all others. */
type ContractKeys = { tokens: string[]; cancelled: boolean; endKey: string };

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
    createdBy: embeddedActor(),
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

export type ContractFilter = {
  assetId?: string | undefined;
  type?: ContractType | undefined;
  status?: ContractStatus | undefined;
  /** Running contracts that end within these days, today included. */
  expiringDays?: number | undefined;
  /** The beginnings of words that provider, reference and notes have. */
  prefixes?: readonly string[] | undefined;
};

export function createContractStore(mongo: Mongo) {
  const { get, getMany, insert, list, save } = contractRecords.store(mongo);
  return {
    insert,
    save,
    get,
    getMany,

    list(
      workspaceId: string,
      { prefixes = [], ...given }: ContractFilter,
      today: string,
      page: PageQuery,
    ): Promise<Page<Contract>> {
      const { status, expiringDays, ...fields } = definedOnly(given);
      const conditions = [
        ...(status === undefined ? [] : [byStatus[status](today)]),
        ...(expiringDays === undefined ? [] : [expiring(today, expiringDays)]),
        // Words have letters, marks and digits only: no character has a meaning in a pattern.
        ...prefixes.map((prefix) => ({ tokens: { $regex: `^${prefix}` } })),
      ];
      const filter = { ...fields, ...(conditions.length > 0 && { $and: conditions }) };
      // A cursor stays valid on the next day.
      const boundTo = { ...definedOnly(given), prefixes };
      return list(workspaceId, page, { filter, boundTo });
    },

    /** In order of the last day. */
    listExpiring: (
      workspaceId: string,
      { today, days }: { today: string; days: number },
      page: PageQuery,
    ): Promise<Page<Contract>> =>
      list(
        workspaceId,
        { ...page, sort: page.cursor ? undefined : "ends_on" },
        { filter: expiring(today, days), boundTo: { expiring: days }, sorts: { ends_on: "endKey" } },
      ),
  };
}

const expiring = (today: string, days: number) => ({
  ...{ cancelled: false, startsOn: { $lte: today } },
  endKey: { $gte: today, $lte: daysAfter(today, days) },
});

/** The same rules as `contractStatus`; active includes expiring. */
const byStatus = {
  cancelled: () => ({ cancelled: true }),
  upcoming: (today: string) => ({ cancelled: false, startsOn: { $gt: today } }),
  expired: (today: string) => ({ cancelled: false, startsOn: { $lte: today }, endKey: { $lt: today } }),
  expiring: (today: string) => expiring(today, EXPIRING_DAYS),
  active: (today: string) => ({ cancelled: false, startsOn: { $lte: today }, endKey: { $gte: today } }),
} satisfies Record<ContractStatus, (today: string) => object>;
