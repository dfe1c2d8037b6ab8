import type { Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { offlineReaderIndexes } from "../src/store/projections/offline-readers.ts";
import { readerProjection } from "../src/store/projections/readers.ts";

/** Portals that are not heard are reported in the event feed. */
export const offlineReaders: Migration = {
  id: "0007-offline-readers",
  up: (mongo) => ensureSystemIndexes(mongo, readerProjection.collection, offlineReaderIndexes),
};
