import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { readerRecords } from "../src/store/readers/readers.ts";

/** The list of the readers of a zone has those with an antenna there. */
export const antennaZones: Migration = {
  id: "0013-antenna-zones",
  up: (mongo) => ensureRecordIndexes(mongo, readerRecords),
};
