import {
  type ClientSession,
  createShardTurns,
  defineRecords,
  isDuplicateKey,
  type Mongo,
} from "@asset-register/mongo";
import { AppError, conflict } from "@asset-register/runtime";
import type { UniqueValue } from "../../domain/custom-fields/custom-field-merge.ts";

/** The value that an asset has in a unique field. The id names both. */
export type UniqueValueRow = {
  id: string;
  workspaceId: string;
  fieldId: string;
  assetId: string;
  valueKey: string;
  generation: number;
};

const VALUE_INDEX = "value";

export const uniqueValueRecords = defineRecords<UniqueValueRow>({
  collection: "unique_values",
  name: "unique value",
  fields: { fieldId: String, assetId: String, valueKey: String, generation: Number },
  indexes: [
    { name: VALUE_INDEX, key: { workspaceId: 1, fieldId: 1, valueKey: 1 }, unique: true },
    { name: "asset", key: { workspaceId: 1, assetId: 1 } },
    { name: "generation", key: { workspaceId: 1, fieldId: 1, generation: 1 } },
  ],
});

/** Of these rows a writer takes one, so that writers rarely conflict, and a field that becomes unique all. */
const SHARDS = 64;

type Lock = { _id: string; workspaceId: string; writes: number };

/** A row for a value, and the field's key for messages. */
export type TakenValue = UniqueValue & { assetId: string };

export function createUniqueValueStore(mongo: Mongo) {
  const { collection } = uniqueValueRecords.store(mongo);
  const locks = mongo.collection<Lock>("custom_field_locks");
  const nextShard = createShardTurns(SHARDS);
  const idOf = ({ assetId, fieldId }: Pick<TakenValue, "assetId" | "fieldId">) => `${assetId}:${fieldId}`;

  return {
    /** @throws AppError CUSTOM_FIELD_VALUE_TAKEN that names the field, also in a race */
    async take(workspaceId: string, values: readonly TakenValue[], session: ClientSession): Promise<void> {
      if (values.length === 0) return;
      const rows = values.map(({ fieldId, assetId, valueKey, generation }) => ({
        updateOne: {
          filter: { _id: idOf({ assetId, fieldId }), workspaceId },
          update: { $set: { fieldId, assetId, valueKey, generation } },
          upsert: true,
        },
      }));
      try {
        await collection.bulkWrite(rows, { session });
      } catch (error) {
        if (!isDuplicateKey(error, VALUE_INDEX)) throw error;
        throw lostValue(error, values);
      }
    },

    async free(
      workspaceId: string,
      values: readonly Pick<TakenValue, "assetId" | "fieldId">[],
      session: ClientSession,
    ): Promise<void> {
      if (values.length === 0) return;
      const ids = values.map(idOf);
      await collection.deleteMany({ workspaceId, _id: { $in: ids } }, { session });
    },

    async freeAll(workspaceId: string, assetId: string, session: ClientSession): Promise<void> {
      await collection.deleteMany({ workspaceId, assetId }, { session });
    },

    /** The assets that have these values of a field, by value. */
    async owners(
      workspaceId: string,
      fieldId: string,
      valueKeys: readonly string[],
      session: ClientSession,
    ): Promise<Map<string, string>> {
      const rows = collection.find({ workspaceId, fieldId, valueKey: { $in: [...valueKeys] } }, { session });
      return new Map((await rows.toArray()).map(({ valueKey, assetId }) => [valueKey, assetId]));
    },

    /** The assets that have these values, by `valueKeyOf`. */
    async ownersOfValues(
      workspaceId: string,
      values: readonly Pick<UniqueValue, "fieldId" | "valueKey">[],
      session?: ClientSession,
    ): Promise<Map<string, string>> {
      const owners = new Map<string, string>();
      if (values.length === 0) return owners;
      const byField = Map.groupBy(values, ({ fieldId }) => fieldId);
      const rows = collection.find(
        {
          workspaceId,
          $or: [...byField].map(([fieldId, wanted]) => ({
            fieldId,
            valueKey: { $in: wanted.map(({ valueKey }) => valueKey) },
          })),
        },
        session && { session },
      );
      for (const row of await rows.toArray()) owners.set(valueKeyOf(row), row.assetId);
      return owners;
    },

    /** Removes at most `limit` rows of a field that are older than `generation`. Returns how many. */
    async removeOlder(
      workspaceId: string,
      fieldId: string,
      generation: number,
      limit: number,
    ): Promise<number> {
      const older = { workspaceId, fieldId, generation: { $lt: generation } };
      const rows = await collection.find(older, { projection: { _id: 1 }, limit }).toArray();
      const ids = rows.map(({ _id }) => _id);
      return (await collection.deleteMany({ ...older, _id: { $in: ids } })).deletedCount;
    },

    /**
     * Orders this transaction, which writes values, before or after one that makes a field unique: otherwise a value could be
     * written without its row, unseen by the comparison of all values.
     */
    async lockWriter(workspaceId: string, session: ClientSession): Promise<void> {
      await locks.bulkWrite([lockOf(workspaceId, nextShard())], { session });
    },

    /** Waits for all transactions that write values, and lets later ones see what this transaction changes. */
    async lockAllWriters(workspaceId: string, session: ClientSession): Promise<void> {
      const shards = Array.from({ length: SHARDS }, (_, shard) => lockOf(workspaceId, shard));
      await locks.bulkWrite(shards, { session });
    },
  };
}

/** Names a value of a field. */
export const valueKeyOf = ({ fieldId, valueKey }: Pick<UniqueValue, "fieldId" | "valueKey">): string =>
  `${fieldId} ${valueKey}`;

const lockOf = (workspaceId: string, shard: number) => ({
  updateOne: {
    filter: { _id: `${workspaceId}:${shard}`, workspaceId },
    update: { $inc: { writes: 1 } },
    upsert: true,
  },
});

/** The error of a value that another asset has, in the field with this key. */
export function valueTaken(fieldKey: string, cause?: unknown): AppError {
  const violation = { field: `custom_fields.${fieldKey}`, message: "is taken" };
  const message = `Another asset has this value of ${fieldKey}.`;
  return conflict("CUSTOM_FIELD_VALUE_TAKEN", message, [violation], cause);
}

/** Whether a write lost a race for a unique value. */
export function isValueTaken(error: unknown): boolean {
  return error instanceof AppError && isDuplicateKey(error.cause, VALUE_INDEX);
}

function lostValue(error: unknown, values: readonly TakenValue[]): AppError {
  // The server names the key in its message: { workspaceId: "...", fieldId: "cfd_...", valueKey: "..." }.
  const [, fieldId] = /fieldId: "(\w+)"/.exec(error instanceof Error ? error.message : "") ?? [];
  const { key = "" } = values.find((value) => value.fieldId === fieldId) ?? values[0] ?? {};
  return valueTaken(key, error);
}
