import { StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import {
  RegisterReportSchema,
  ReportRowSchema,
  ValueRowSchema,
} from "@asset-register/proto/assetregister/register/v1/report_pb";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { resource } from "../http/resource.ts";
import { id, like, nullable } from "../http/schemas.ts";

const count = Type.Integer({ description: "Number of assets", examples: [12] });
const amount = (description: string) => Type.Number({ description, examples: [12_499] });
const figures = { count, cost: amount("Sum of the costs"), nbv: amount("Sum of the net book values") };

export const registerReport = resource(RegisterReportSchema, "RegisterReport", {
  ...figures,
  accumulated: amount("Sum of the accumulated depreciation"),
  by_status: Type.Array(
    Type.Object({ id: id("sta"), name: like("In use"), class: enumOf(StatusClass), ...figures }),
  ),
  by_class: Type.Array(Type.Object({ class: enumOf(StatusClass), ...figures })),
  without_cost: Type.Integer({ description: "Number of assets whose cost is unknown", examples: [1] }),
  disposed: Type.Object({ count }, { description: "Disposed assets, which no other figure contains" }),
});

/** A row of a report by records with ids of this prefix. */
export const reportRow = (prefix: string, title: string) =>
  resource(ReportRowSchema, title, {
    id: nullable(id(prefix, "Null for the assets that have none")),
    name: nullable(like("Main warehouse")),
    ...figures,
  });

/** The values of a day, of all categories or of one. */
export const valueRow = resource(ValueRowSchema, "ValueRow", {
  date: Type.String({ description: "In the time zone of the workspace", examples: ["2026-01-31"] }),
  category_id: nullable(id("cat", "Of rows by category; null for the assets that have none")),
  ...figures,
  movements: Type.Integer({ description: "Number of movements on this day", examples: [3] }),
});
