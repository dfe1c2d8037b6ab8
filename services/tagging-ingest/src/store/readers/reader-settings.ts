import { type ClientSession, defineRecords, embedded, type Mongo } from "@asset-register/mongo";
import { defaultReaderSettings, type ReaderSettings } from "../../domain/readers/reader-settings.ts";
import { presenceFields } from "../zones/zones.ts";
import { readFilters } from "./readers.ts";

export const readerSettingsRecords = defineRecords<ReaderSettings>({
  collection: "reader_settings",
  name: "reader settings",
  fields: {
    presence: presenceFields(),
    filters: readFilters(),
    unknownPerHour: Number,
    travel: embedded({
      defaultSeconds: Number,
      pairs: [embedded({ propertyIds: [String], seconds: Number })],
    }),
    rev: Number,
    updatedAt: Date,
  },
  indexes: [{ name: "one", key: { workspaceId: 1 }, unique: true }],
});

/** The row of a workspace has its id. A workspace that has stored none has the defaults. */
export function createReaderSettingsStore(mongo: Mongo) {
  const { insert, save, get } = readerSettingsRecords.store(mongo);
  return {
    async get(workspaceId: string, session?: ClientSession): Promise<ReaderSettings> {
      return (await get(workspaceId, workspaceId, session)) ?? defaultReaderSettings(workspaceId);
    },

    /** @throws AppError CONFLICT if another change was saved since `before` */
    save(settings: ReaderSettings, before: ReaderSettings, session: ClientSession): Promise<void> {
      const { workspaceId } = settings;
      const isStored = before.updatedAt !== undefined;
      return isStored
        ? save(workspaceId, settings, before.rev, session)
        : insert(workspaceId, settings, session);
    },
  };
}
