import {
  type Chunk,
  createLongWork,
  type LongWork,
  type Mongo,
  type WorkRecord,
} from "@asset-register/mongo";
import type { Logger, Metrics } from "@asset-register/runtime";
import { requireActive, type WorkspaceStore } from "@asset-register/service";
import { uniqueValue } from "../domain/custom-field-merge.ts";
import {
  type CustomFieldDocument,
  type createCustomFieldStore,
  customFieldRecords,
} from "../store/custom-fields.ts";
import type { createCustomValueStore } from "../store/custom-values.ts";
import type { createUniqueValueStore } from "../store/unique-values.ts";

/** A field whose values are compared, or whose old rows are removed. */
export type FieldWork = WorkRecord & CustomFieldDocument;

export type Indexing = LongWork<FieldWork>;

type Dependencies = {
  mongo: Mongo;
  stores: {
    customFields: ReturnType<typeof createCustomFieldStore>;
    customValues: ReturnType<typeof createCustomValueStore>;
    uniqueValues: ReturnType<typeof createUniqueValueStore>;
    workspaces: WorkspaceStore;
  };
  logger: Logger;
  metrics: Metrics;
  now(): Date;
};

/** Assets in one step: their rows are written in one transaction of less than a second. */
const ASSETS = 500;
/** Rows that one step removes. */
const ROWS = 2_000;

/**
 * Makes a used field unique: compares the values of all assets and writes their rows. New writes already add theirs. A
 * field with duplicates becomes active and not unique. Then old rows are removed.
 */
export function createIndexing({ mongo, stores, logger, metrics, now }: Dependencies): Indexing {
  return createLongWork<FieldWork>({
    mongo,
    collection: customFieldRecords.collection,
    statuses: { indexing: { failed: "clearing" }, clearing: { failed: "active" } },
    logger,
    metrics,
    async step(field) {
      await requireActive({ stores }, field.workspaceId);
      return field.status === "clearing" ? clear(field) : compare(field);
    },
  });

  async function compare(document: FieldWork): Promise<Chunk<FieldWork>> {
    const { _id: id, workspaceId, key, generation, after = "", progress } = document;
    const { read, last, withValue } = await stores.customValues.page(workspaceId, key, after, ASSETS);
    if (last === undefined) return finish(document);
    const done = progress.done + read;
    return {
      progress: { done, total: Math.max(progress.total, done) },
      set: { after: last },
      async save(session) {
        const values = await stores.customValues.lockValues(workspaceId, key, withValue, session);
        const rows = values.map(({ assetId, value }) => ({
          ...uniqueValue({ id, key, generation }, value),
          assetId,
        }));
        const owners = await stores.uniqueValues.owners(
          workspaceId,
          id,
          rows.map(({ valueKey }) => valueKey),
          session,
        );
        // The first asset with a value owns it, also within this page.
        for (const { valueKey, assetId } of rows) if (!owners.has(valueKey)) owners.set(valueKey, assetId);
        const unique = rows.filter(({ valueKey, assetId }) => owners.get(valueKey) === assetId);
        await stores.uniqueValues.take(workspaceId, unique, session);
        await stores.customFields.addDuplicates(workspaceId, id, rows.length - unique.length, session);
      },
    };
  }

  async function finish({
    _id: id,
    workspaceId,
    progress: { done },
    generation,
  }: FieldWork): Promise<Chunk<FieldWork>> {
    // From the database: the record in memory does not have what `save` has added.
    const duplicates = await stores.customFields.countDuplicates(workspaceId, id);
    const error = {
      code: "CUSTOM_FIELD_VALUE_TAKEN",
      message: `${duplicates} ${duplicates === 1 ? "asset has" : "assets have"} a value that another asset has.`,
    };
    return {
      progress: { done, total: done },
      status: generation > 1 || duplicates > 0 ? "clearing" : "active",
      set: { updatedAt: now(), ...(duplicates > 0 && { unique: false, error }) },
      inc: { rev: 1 },
    };
  }

  async function clear({ _id: id, workspaceId, unique, generation, progress, deleted }: FieldWork) {
    const least = unique && !deleted ? generation : generation + 1;
    const removed = await stores.uniqueValues.removeOlder(workspaceId, id, least, ROWS);
    return { progress, ...(removed < ROWS && { status: "active" }) };
  }
}
