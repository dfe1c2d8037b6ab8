import type { Blobs } from "@asset-register/blobs";
import type { ArchiveStore } from "../../store/archive/archives.ts";
import type { DayRows } from "../../store/archive/day-rows.ts";

/** What the operations of the archive need. The command line has no more. */
export type ArchiveContext = {
  stores: { archives: ArchiveStore; dayRows: DayRows };
  blobs: Blobs;
  /** The current time. */
  now(): Date;
};
