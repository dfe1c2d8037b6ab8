import { type Chunk, createLongWork, type LongWork } from "@asset-register/mongo";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { uniqueValue } from "../../domain/custom-fields/custom-field-merge.ts";
import { customFieldRecords, type FieldDocument } from "../../store/custom-fields/custom-fields.ts";

type FieldChunk = Chunk<FieldDocument>;

/** Assets in one step: their rows are written in one transaction of less than a second. */
const ASSETS = 500;
/** Rows that one step removes. */
const ROWS = 2_000;

/**
 * Makes a used field unique: compares the values of all assets and writes their rows. New writes already add theirs. A
 * field with duplicates becomes active and not unique. Then old rows are removed.
 */
export function createIndexing(context: Context): LongWork<FieldDocument> {
  return createLongWork<FieldDocument>({
    ...{ ...context, collection: customFieldRecords.collection },
    statuses: { indexing: { failed: "clearing" }, clearing: { failed: "active" } },
    async step(field) {
      await requireActive(context, field.workspaceId);
      return field.status === "clearing" ? removeOldRows(context, field) : compareNext(context, field);
    },
  });
}

async function compareNext(context: Context, document: FieldDocument): Promise<FieldChunk> {
  const { stores } = context;
  const { _id: id, workspaceId, key, generation, after = "", progress } = document;
  const { read, last, withValue } = await stores.customValues.page(workspaceId, key, after, ASSETS);
  if (last === undefined) return finish(context, document);
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

async function finish({ stores, now }: Context, document: FieldDocument): Promise<FieldChunk> {
  const { _id: id, workspaceId, generation } = document;
  const { done } = document.progress;
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

async function removeOldRows({ stores }: Context, field: FieldDocument): Promise<FieldChunk> {
  const { _id: id, workspaceId, unique, generation, progress, deleted } = field;
  const least = unique && !deleted ? generation : generation + 1;
  const removed = await stores.uniqueValues.removeOlder(workspaceId, id, least, ROWS);
  return { progress, ...(removed < ROWS && { status: "active" }) };
}
