import type { KnownAsset } from "../assets/asset.ts";
import type { DueRow } from "./due-row.ts";
import type { PmSchedule } from "./pm-schedule.ts";

/** A schedule as callers see it at a date. */
export type PmScheduleView = {
  schedule: PmSchedule;
  today: string;
  /** Of an asset's schedule. */
  row?: DueRow | undefined;
  asset?: KnownAsset | undefined;
};

/** A due row as callers see it at a date. */
export type DueRowView = {
  row: DueRow;
  today: string;
  schedule?: PmSchedule | undefined;
  asset?: KnownAsset | undefined;
  workOrderId?: string | undefined;
};
