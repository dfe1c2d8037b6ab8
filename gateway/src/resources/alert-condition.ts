import { Weekday } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { body, id } from "../http/schemas.ts";
import { readerHealthReason } from "./reader.ts";

const time = (example: string) =>
  Type.String({
    pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
    description: "HH:MM, by the clock of the workspace",
    examples: [example],
  });

/** When a rule fires: one object for each case of the message AlertCondition. */
export const condition = Type.Union(
  [
    body({ type: Type.Literal("seen_in_zone"), zone_id: id("zon") }, { title: "SeenInZone" }),
    body({ type: Type.Literal("left_zone"), zone_id: id("zon") }, { title: "LeftZone" }),
    body(
      { type: Type.Literal("exit_portal_unauthorised"), zone_id: id("zon") },
      { title: "ExitPortalUnauthorised" },
    ),
    body(
      {
        type: Type.Literal("after_hours"),
        open_days: Type.Array(enumOf(Weekday), { minItems: 1, maxItems: 7, examples: [["mon", "tue"]] }),
        open_from: time("08:00"),
        open_to: time("18:00"),
      },
      {
        title: "AfterHours",
        description: "A time after open_to spans midnight: the day is the one on which it begins",
      },
    ),
    body({ type: Type.Literal("unknown_tag") }, { title: "UnknownTag" }),
    body(
      { type: Type.Literal("tag_cloned") },
      {
        title: "TagCloned",
        description:
          "Portals of two properties read a tag within less time than the travel takes (`travel` of /reader-settings)",
      },
    ),
    body(
      {
        type: Type.Literal("status_mismatch"),
        status_ids: Type.Array(id("sta"), { minItems: 1, maxItems: limits.ruleStatuses }),
      },
      { title: "StatusMismatch" },
    ),
    body(
      {
        type: Type.Literal("not_seen_for"),
        hours: Type.Number({ minimum: 0.01, maximum: 8760, examples: [24] }),
      },
      { title: "NotSeenFor" },
    ),
    body(
      {
        type: Type.Literal("reader_offline"),
        minutes: Type.Integer({ minimum: 1, maximum: 10_080, examples: [15] }),
      },
      { title: "ReaderOffline" },
    ),
    body(
      {
        type: Type.Literal("reader_degraded"),
        minutes: Type.Integer({ minimum: 1, maximum: 1440, examples: [15] }),
        reasons: Type.Optional(
          Type.Array(readerHealthReason, {
            maxItems: readerHealthReason.enum.length,
            description: "Only while it is degraded for one of these. Empty or absent: for any reason",
            examples: [["blind"]],
          }),
        ),
      },
      { title: "ReaderDegraded" },
    ),
  ],
  { title: "AlertCondition" },
);

type Described = { type: "object"; title?: string; description?: string };

/** The same in responses. It may have more properties: `expand` adds names. */
export const shownCondition = Type.Union(
  condition.anyOf.map((branch) => {
    const { title = "", description }: Described = branch;
    return Type.Object(branch.properties, {
      title: `Shown${title}`,
      ...(description !== undefined && { description }),
    });
  }),
  { title: "ShownAlertCondition" },
);
