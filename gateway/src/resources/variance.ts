import {
  Resolution,
  VarianceKind,
  VarianceReason,
  VarianceSchema,
  VarianceStatus,
} from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import {
  type GetVarianceReportResponse,
  VarianceReportSchema,
} from "@asset-register/proto/assetregister/stocktake/v1/variance_report_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNames } from "@asset-register/rpc";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { presentListB } from "../http/present.ts";
import { required } from "../http/required.ts";
import { resource } from "../http/resource.ts";
import { body, exampleId, id, instant, like, nullable, pageOf, rev, unset } from "../http/schemas.ts";
import { stocktakeSession } from "./stocktake-session.ts";

const amount = () => nullable(Type.Number({ examples: [1249.9] }));

export const variance = resource(VarianceSchema, "StocktakeVariance", {
  id: id("var"),
  session_id: id("sts"),
  kind: enumOf(VarianceKind, "misplaced"),
  reason: unset(like("checked_out")),
  status: enumOf(VarianceStatus),
  asset_id: nullable(id("ast")),
  asset_number: nullable(like("AST-000042")),
  asset_name: nullable(like("Cordless drill")),
  cost: amount(),
  nbv: amount(),
  code: nullable(like("AR-0042")),
  epc: nullable(like("303435FC8803D056D15B963F")),
  expected_location_id: nullable(id("loc")),
  expected_location_name: nullable(like("Room 12")),
  effective_location_id: nullable(id("loc", "Where it was scanned last")),
  effective_location_name: nullable(like("Room 14")),
  last_scanned_at: nullable(instant()),
  device_id: nullable(like("handheld-7")),
  checkout_id: unset(id("chk")),
  resolution: unset(like("confirmed_moved")),
  note: unset(like("On loan to the workshop")),
  resolved_by: unset(like(exampleId("usr"))),
  resolved_at: unset(instant()),
  resolutions: Type.Array(
    Type.Object({
      resolution: enumOf(Resolution),
      note: nullable(like("Seen by Grace")),
      by: nullable(like(exampleId("usr"))),
      at: nullable(instant()),
      rev,
      outcome: Type.Enum(["resolved", "refused"], {
        description: "`refused`: the register refused the effect, so the variance was unresolved again",
        examples: ["refused"],
      }),
      code: nullable(like("ASSET_MOVED_SINCE")),
    }),
    { description: "The last 50, the newest last. A variance that is opened again keeps them" },
  ),
  obsolete: Type.Boolean({
    description: "Resolved, and no longer a result of the last reconcile. It counts nowhere",
  }),
  rev,
});

/** Filters of the rows of a session. */
export const varianceFilters = {
  kind: Type.Optional(enumOf(VarianceKind)),
  status: Type.Optional(enumOf(VarianceStatus)),
  reason: Type.Optional(enumOf(VarianceReason)),
};

export const resolutionSchema = body(
  {
    resolution: enumOf(Resolution),
    note: Type.Optional(Type.String({ maxLength: limits.note, examples: ["On loan to the workshop"] })),
  },
  { title: "StocktakeResolution", examples: [{ resolution: "confirmed_moved", note: "Seen by Grace" }] },
);

const count = (description: string, example = 3) => Type.Integer({ description, examples: [example] });

const counts = Type.Object({
  total: count("Variances of this kind"),
  unresolved: count("Those that need a resolution"),
  confirmed_moved: count("Resolved by a movement"),
  written_off: count("Resolved by the status Lost"),
  ignored: count("Resolved without an effect"),
});

const figures = resource(VarianceReportSchema, "", {
  coverage: stocktakeSession.schema.properties.coverage,
  accuracy: stocktakeSession.schema.properties.accuracy,
  value: Type.Object({
    missing_cost: Type.Number({ description: "Sum of the costs of the missing assets", examples: [1249.9] }),
    missing_nbv: Type.Number({ description: "Sum of their net book values", examples: [830] }),
  }),
});

const { data: rows, ...page } = pageOf(variance.schema).properties;
const kinds = enumNames(VarianceKind);

export const varianceReportSchema = Type.Object(
  {
    session: stocktakeSession.schema,
    counts: Type.Object(
      Object.fromEntries(kinds.names.map((kind) => [kind, counts])) as Record<string, typeof counts>,
      { description: "By kind, without obsolete variances" },
    ),
    ...figures.schema.properties,
    rows,
    ...page,
  },
  { title: "VarianceReport" },
);

/** The report with one page of its rows. */
export function presentVarianceReport(answer: GetVarianceReportResponse, currencyDigits: number) {
  const report = required(answer.report);
  const { data, ...position } = presentListB(
    answer.rows.map((row) => variance.present(row, currencyDigits)),
    answer.page,
  );
  return {
    session: stocktakeSession.present(required(report.session)),
    counts: Object.fromEntries(
      report.counts.map(({ kind, total, unresolved, confirmedMoved, writtenOff, ignored }) => [
        required(kinds.decode(kind)),
        { total, unresolved, confirmed_moved: confirmedMoved, written_off: writtenOff, ignored },
      ]),
    ),
    ...figures.present(report, currencyDigits),
    rows: data,
    ...position,
  };
}
