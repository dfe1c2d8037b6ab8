import {
  defineWorkRecords,
  embedded,
  embeddedActor,
  failureOf,
  type Mongo,
  type WorkDocument,
  type WorkView,
} from "@asset-register/mongo";
import type { LabelSheet } from "../../domain/labels/label-sheet.ts";

export type LabelSheetDocument = WorkDocument<LabelSheet>;

export const labelSheetRecords = defineWorkRecords<LabelSheet>({
  collection: "label_sheets",
  name: "label sheet",
  fields: {
    format: String,
    template: String,
    code: String,
    startAt: Number,
    content: [String],
    text: String,
    dpi: Number,
    assetIds: [String],
    bindMissing: Boolean,
    labels: Number,
    skipped: [embedded({ assetId: String, code: String })],
    fileId: String,
    createdAt: Date,
    createdBy: embeddedActor(),
    requestId: String,
    expiresAt: Date,
  },
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    {
      name: "file",
      key: { workspaceId: 1, fileId: 1 },
      partialFilterExpression: { fileId: { $exists: true } },
    },
  ],
});

export type LabelSheetView = WorkView<LabelSheet>;

export function createLabelSheetStore(mongo: Mongo) {
  const { collection, insert, toRecord } = labelSheetRecords.store(mongo);
  const toView = (document: LabelSheetDocument): LabelSheetView => ({
    ...toRecord(document),
    error: failureOf(document),
  });
  return {
    insert,
    toView,

    async get(workspaceId: string, id: string): Promise<LabelSheetView | undefined> {
      const found = await collection.findOne<LabelSheetDocument>({ workspaceId, _id: id });
      return found === null ? undefined : toView(found);
    },

    /** Which of these blobs a sheet refers to. */
    async referencedBlobs(workspaceId: string, ids: string[]): Promise<string[]> {
      const filter = { workspaceId, fileId: { $in: ids, $exists: true } };
      const found = await collection.find(filter, { projection: { fileId: 1 } }).toArray();
      return found.flatMap(({ fileId }) => fileId ?? []);
    },
  };
}
