import { COLLECTIONS } from "./interface-rows.ts";

/**
 * Rows and parameters of rows that are not built yet. A parameter is written behind its row. The test requires that an
 * entry is removed as soon as it is routed.
 */
const LATER = {
  Depreciation: [
    "b GET /depreciation/runs",
    "b POST /depreciation/runs",
    "b GET /depreciation/runs/{id}",
    "b POST /depreciation/runs/{id}/post",
    "b POST /depreciation/runs/{id}/discard",
    "b GET /assets/{id}/depreciation",
    "b GET /assets/{id}/depr-profiles",
    "b POST /assets/{id}/depr-profiles",
    "b GET /reports/depreciation",
    "b GET /depreciation/runs/{id}/lines",
  ],
  "Alerts and webhooks": [
    "a PATCH /v1/webhooks/{id}",
    "a POST /v1/webhooks/{id}/rotate-secret",
    "a POST /v1/webhooks/{id}/test",
    "a POST /v1/webhooks/{id}/deliveries/{delivery_id}/retry",
    "b GET /alert-rules/{id}",
    "b PATCH /alert-rules/{id}",
    "b DELETE /alert-rules/{id}",
    "b GET /notices",
    "b POST /notices/{id}/read",
  ],
};

export const later = new Set(
  Object.values(LATER)
    .flat()
    .flatMap((name) =>
      name.includes("{collection}") ? COLLECTIONS.map((each) => name.replace("{collection}", each)) : [name],
    ),
);
