import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { group, optional } from "../http/writable.ts";

const most = limits.presence;

const whole = (minimum: number, maximum: number, description: string, example: number) =>
  optional(Type.Integer({ minimum, maximum, description, examples: [example] }));

/** How a zone, or a workspace, decides where tags are. */
export const presenceSettings = group(
  {
    confirm_reads: whole(
      1,
      most.confirmReads,
      "Seconds with a read that a move needs, within 10 s. 2 by default, 1 with `report_interval_seconds`; above 1 with an interval above 5 it is refused, since two reports never fall into 10 s",
      1,
    ),
    dwell_seconds: whole(
      0,
      most.dwellSeconds,
      "A contested move needs so long since the last move. 10 by default",
      10,
    ),
    leave_after_seconds: whole(
      most.leaveAfterSecondsLeast,
      most.leaveAfterSeconds,
      "A tag that is not read for so long has left: at least three report intervals. By default 30, or three report intervals if that is more",
      60,
    ),
    margin_db: optional(
      Type.Number({
        minimum: 0,
        maximum: most.marginDb,
        description: "So much stronger a signal decides a contested move. 6 by default",
        examples: [6],
      }),
    ),
    report_interval_seconds: whole(
      1,
      most.reportIntervalSeconds,
      "How often the readers report a tag that stays",
      5,
    ),
  },
  { description: "How it is decided where tags are. They count from the next read of a tag on" },
);
