import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { LedgerRow } from "../../domain/ledger/ledger.ts";

type StoredRow = LedgerRow & { id: string; workspaceId: string };

export const ledgerRecords = defineRecords<StoredRow>({
  collection: "ledger",
  name: "ledger row",
  fields: {
    profileId: String,
    assetId: String,
    book: String,
    kind: String,
    period: String,
    bookedIn: String,
    categoryId: String,
    amount: Number,
    causeId: String,
    units: Number,
  },
  // The id is made of profile, kind, period and cause, so these are unique.
  indexes: [
    { name: "profile", key: { workspaceId: 1, profileId: 1, period: 1 } },
    {
      name: "charge",
      key: { workspaceId: 1, profileId: 1, period: 1 },
      unique: true,
      partialFilterExpression: { kind: "charge" },
    },
    { name: "booked", key: { workspaceId: 1, book: 1, bookedIn: 1 } },
  ],
});

/** The posted rows. They are never changed or removed. Native writes, since a run may post a million. */
export function createLedgerStore(mongo: Mongo) {
  const { collection, find } = ledgerRecords.store(mongo);
  return {
    /** The rows of a profile in order of month; an impairment of a month comes before its charge. */
    async ofProfile(workspaceId: string, profileId: string, session?: ClientSession): Promise<LedgerRow[]> {
      const rows = await find(workspaceId, { profileId }, { sort: { period: 1 }, session });
      return rows.sort((one, other) => compare(orderOf(one), orderOf(other)));
    },

    async insertMany(workspaceId: string, rows: readonly LedgerRow[], session: ClientSession): Promise<void> {
      if (rows.length === 0) return;
      const documents = rows.map((row) => ({ ...row, _id: idOf(row), workspaceId }));
      await collection.insertMany(documents, { session, ignoreUndefined: true });
    },
  };
}

const idOf = ({ profileId, kind, period, causeId }: LedgerRow): string =>
  `${profileId}:${period}:${kind}:${causeId}`;

const orderOf = ({ period, kind }: LedgerRow): string => `${period}${kind === "charge" ? 1 : 0}`;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
