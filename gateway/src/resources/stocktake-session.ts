import { ScopeType } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import {
  ExpectedAssetSchema,
  SessionSchema,
  SessionStatus,
} from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, idOfAny, instant, like, named, nullable, rev, unset } from "../http/schemas.ts";
import { defaulted, fixed, optional, required } from "../http/writable.ts";

const count = (description: string, example = 120) => Type.Integer({ description, examples: [example] });
const share = (description: string) => nullable(Type.Number({ description, examples: [0.9833] }));

/** The total is null while it is hidden. */
const progress = (description: string) =>
  Type.Object(
    { done: Type.Integer({ examples: [1000] }), total: nullable(Type.Integer({ examples: [1200] })) },
    { description },
  );

export const stocktakeSession = resource(
  SessionSchema,
  "StocktakeSession",
  {
    id: id("sts"),
    name: fixed(required(named("Spring 2026"))),
    scope_type: fixed(required(enumOf(ScopeType))),
    scope_id: fixed(
      optional(
        id("loc", "The record that the scope names. Required for every scope but `all`, which has none"),
        { shown: nullable(idOfAny("loc", "prp", "bld", "flr", "cat", "dep")) },
      ),
    ),
    blind: fixed(
      defaulted(
        Type.Boolean({
          default: false,
          description: "The expected assets are hidden before the first reconcile",
        }),
        {
          shown: {
            description: "`expected` and the totals of `progress` are null before the first reconcile",
          },
        },
      ),
    ),
    status: enumOf(SessionStatus, "reconciled"),
    opened_at: nullable(instant()),
    reconciled_at: nullable(instant()),
    closed_at: unset(instant()),
    expected: nullable(count("Assets that are expected")),
    excluded: count("Expected assets that left the scope, as of the last reconcile", 2),
    scans: count("Scans that were accepted", 150),
    rejected: Type.Record(Type.String(), Type.Integer(), {
      description: "Scans that were rejected, by code. One that is sent again counts again",
      examples: [{ LOCATION_UNKNOWN: 2 }],
    }),
    tags_scanned: count("Distinct codes, as of the last reconcile", 118),
    unexpected_in_place: count("Assets in their own place that were not expected", 1),
    unresolved: count("Variances that need a resolution", 3),
    scan_seq: count("Rises with each upload that added scans", 9),
    reconciled_seq: nullable(count("The `scan_seq` that the last reconcile has read", 9)),
    stale: Type.Boolean({ description: "Scans came after the last reconcile" }),
    coverage: share("Expected and scanned / (`expected` - `excluded`)"),
    accuracy: share("Found in place / (`expected` - `excluded`)"),
    stamped: unset(progress("Assets that are marked as counted since the session was closed")),
    progress: unset(progress("Of the opening or the reconcile")),
    error: unset(
      Type.Object(
        { code: like("NOT_FOUND"), message: like("There is no such record.") },
        { description: "Why the last opening or reconcile failed" },
      ),
    ),
    created_at: instant(),
    created_by: nullable(like(exampleId("usr"))),
    rev,
  },
  { rejected: (session) => session.rejected },
);

/** An asset that a session expects, as it was when the session was opened. */
export const expectedAsset = resource(ExpectedAssetSchema, "ExpectedAsset", {
  asset_id: id("ast"),
  number: like("AST-000042"),
  name: like("Cordless drill"),
  location_id: nullable(id("loc")),
  custodian_id: nullable(id("cus")),
  status_id: id("sta"),
  status_key: like("in_stock"),
  scanned: Type.Boolean({ description: "As of the last reconcile" }),
});

export const newSessionSchema = newBody(stocktakeSession, {
  title: "NewStocktakeSession",
  examples: [{ name: "Spring 2026", scope_type: "location", scope_id: exampleId("loc") }],
});
export const toNewSession = requestMessage(SessionSchema, newSessionSchema);
