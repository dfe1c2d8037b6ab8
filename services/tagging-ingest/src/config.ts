import { blobSettings } from "@asset-register/blobs";
import { settings } from "@asset-register/runtime";
import { serviceSettings } from "@asset-register/service";
import { z } from "zod";
import { LEAST_RETENTION_DAYS } from "./domain/presence/retention.ts";

const schema = z.object({
  ...serviceSettings("tagging_ingest"),
  ...blobSettings,
  REGISTER_ADDRESS: settings.upstream(),
  READER_REQUESTS_PER_SECOND: settings.integer({ min: 1, max: 1_000_000 }).prefault("20"),
  QUOTA_EVENTS_PER_SECOND: settings.integer({ min: 1, max: 10_000_000 }).prefault("500"),
  QUOTA_EVENTS_PER_SECOND_ENTERPRISE: settings.integer({ min: 1, max: 10_000_000 }).prefault("5000"),
  QUOTA_BURST_SECONDS: settings.integer({ min: 1, max: 3_600 }).prefault("60"),
  SLOW_INTAKE_AFTER_MS: settings.integer({ min: 1_000, max: 3_600_000 }).prefault("30000"),
  /** Shorter than the gateway's deadline, so that the gateway gets the answer that the broker is unavailable. */
  SEND_TIMEOUT_MS: settings.integer({ min: 100, max: 60_000 }).prefault("4000"),
  REORDER_WINDOW_MS: settings.integer({ min: 0, max: 60_000 }).prefault("2000"),
  GHOST_BELOW_DBM: settings.integer({ min: -200, max: 100 }).prefault("-70"),
  DUE_SWEEP_MS: settings.integer({ min: 100, max: 60_000 }).prefault("200"),
  EVENT_RETENTION_DAYS: settings.integer({ min: LEAST_RETENTION_DAYS, max: 3_650 }).prefault("90"),
  ARCHIVE_AFTER_DAYS: settings.integer({ min: LEAST_RETENTION_DAYS, max: 3_650 }).optional(),
  ARCHIVE_KEEP_DAYS: settings.integer({ max: 36_500 }).optional(),
});

/** Settings of the service; README.md describes each. */
export const configSchema = schema
  .refine(
    ({ ARCHIVE_AFTER_DAYS: after, EVENT_RETENTION_DAYS: days }) => after === undefined || after <= days,
    {
      path: ["ARCHIVE_AFTER_DAYS"],
      message: "must be at most EVENT_RETENTION_DAYS, for which days are in the database",
    },
  )
  // Otherwise an archive would shorten the time for which events are kept.
  .refine(({ ARCHIVE_KEEP_DAYS: keep, EVENT_RETENTION_DAYS: days }) => keep === undefined || keep > days, {
    path: ["ARCHIVE_KEEP_DAYS"],
    message: "must be more than EVENT_RETENTION_DAYS",
  });

export type Config = z.output<typeof configSchema>;
