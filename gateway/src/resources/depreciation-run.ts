import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import {
  CreateRunRequestSchema,
  DepreciationRunSchema,
  RunLineKind,
  RunLineSchema,
  RunStatus,
  SkippedAssetSchema,
} from "@asset-register/proto/assetregister/finance/v1/depreciation_run_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, idFilter, instant, like, nullable, rev, unset } from "../http/schemas.ts";
import { defaulted, fixed, required } from "../http/writable.ts";

const count = (description: string, example = 120) => Type.Integer({ description, examples: [example] });
const amount = (description: string, example: number) => Type.Number({ description, examples: [example] });
const year = Type.Integer({ minimum: limits.runYearLeast, maximum: limits.runYear, examples: [2026] });
const month = Type.Integer({ minimum: 1, maximum: 12, examples: [3] });
const book = enumOf(Book);

export const skippedAsset = resource(SkippedAssetSchema, "SkippedAsset", {
  asset_id: id("ast"),
  reason: {
    ...like("NO_PROFILE"),
    description:
      "`NO_PROFILE`, `DISPOSED` (not accounted yet), `NOT_IN_SERVICE`, `HELD_FOR_SALE`, `FULLY_DEPRECIATED`, `MANUAL`, `INVALID_INPUT`",
  },
});

export const depreciationRun = resource(DepreciationRunSchema, "DepreciationRun", {
  id: id("run"),
  book: fixed(
    defaulted({ ...book, description: "`book` by default" }, { shown: { description: undefined } }),
  ),
  year: fixed(required(year, { shown: year })),
  month: fixed(required(month, { shown: month })),
  status: enumOf(RunStatus, "draft"),
  progress: Type.Object(
    { done: count("So far", 1000), total: count("In all", 1200) },
    { description: "Of computing, in assets, or of posting, in lines" },
  ),
  stale: Type.Boolean({
    description: "Its inputs have changed since they were computed: it cannot be posted",
  }),
  totals: Type.Object({
    assets: count("Assets with a line"),
    lines: count("Lines", 131),
    current: amount("Charges for the month of the run", 1249.9),
    catch_up: amount("Charges for earlier months", 310.5),
    impairment: amount("Impairments", 0),
  }),
  warnings: Type.Array(
    Type.Object({
      asset_id: id("ast"),
      code: {
        ...like("CATCH_UP"),
        description: "`CATCH_UP` (charged for earlier months), `NO_READING` (no units, so the line is 0)",
      },
      months: nullable(count("Earlier months that are charged", 2)),
    }),
    { description: "On single reads, the first 1000; empty in lists" },
  ),
  skipped: Type.Array(skippedAsset.schema, {
    description: "Assets without a line. On single reads, the first 100; empty in lists",
  }),
  skipped_count: count("Assets without a line", 4),
  journal: Type.Array(
    Type.Object({
      category_id: nullable(id("cat", "As of computing; null for assets without a category")),
      debit_account: like("depreciation_expense"),
      credit_account: like("accumulated_depreciation"),
      amount: amount("Never negative", 1249.9),
    }),
    { description: "What posting books. Empty in lists" },
  ),
  error: unset(
    Type.Object(
      { code: like("TOO_LARGE"), message: like("The amounts of the run are too large.") },
      { description: "Why computing failed" },
    ),
  ),
  created_at: instant(),
  created_by: nullable(like(exampleId("usr"))),
  posted_at: unset(instant()),
  posted_by: unset(like(exampleId("usr"))),
  rev,
});

export const runLine = resource(RunLineSchema, "DepreciationRunLine", {
  run_id: id("run"),
  asset_id: id("ast"),
  period: Type.Object({ year, month }, { description: "The month that the line is for" }),
  kind: enumOf(RunLineKind),
  opening_nbv: amount("Before the line", 900),
  amount: amount("What the line charges", 100),
  closing_nbv: amount("After the line", 800),
  derivation: {
    ...like("straight line: (1,200.00 - 0.00 - 300.00 charged) x 1 / 9 months left = 100.00"),
    description: "The calculation in words and numbers",
  },
  fingerprint: { ...like("9f2c4d1e"), description: "Identifies the inputs of the calculation" },
});

export const runFilters = { book: Type.Optional(book) };

export const lineFilters = {
  skipped: Type.Optional(
    Type.Boolean({ description: "`true` lists the assets without a line, as {asset_id, reason}" }),
  ),
  asset_id: idFilter("ast"),
};

export const newRunSchema = newBody(depreciationRun, {
  title: "NewDepreciationRun",
  examples: [{ year: 2026, month: 3, book: "book" }],
});
export const toNewRun = requestMessage(CreateRunRequestSchema, newRunSchema);
