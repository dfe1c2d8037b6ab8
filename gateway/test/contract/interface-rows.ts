/*
 * A transcription of the interface document. Each row has
 *
 * - method and path,
 * - who may call it: a scope or capability, or `any key`, `signed in`, `own or admin`, `refresh token`, `reader`, `public`,
 * - the names of the parameters in path, query and body. `scans.epc` is a field of the items of `scans`.
 *
 * The document has no methods on surface B and no scopes: those are our decisions.
 */

const interfaceA = `
GET  /v1/me                     | any key              |
GET  /v1/assets                 | assets:read          | page limit category_id
POST /v1/assets                 | assets:write         | name category_id cost
GET  /v1/assets/{id}            | assets:read          | id
POST /v1/assets/{id}/checkout   | checkouts:write      | assignee_id due_date
GET  /v1/tags                   | tags:read            | type assigned
POST /v1/tags/commission        | tags:write           | epc code asset_id
GET  /v1/locations              | locations:read       |
POST /v1/zones                  | zones:write          | name location_ids reader_ids
POST /v1/reader-events          | reader-events:write  | reader_id epc ts signature
GET  /v1/webhooks               | webhooks:read        |
POST /v1/webhooks               | webhooks:write       | url events
`;

const interfaceB = `
POST   /login                                | public        | email password device_uuid label platform app_version
POST   /auth/refresh                         | refresh token | refresh device_uuid
GET    /me                                   | signed in     |
GET    /tenant_config                        | signed in     |
GET    /devices                              | signed in     |
POST   /devices/{uuid}/revoke                | own or admin  |
GET    /assets                               | view          | q category_id property_id location_id status_id custodian_id page per_page
GET    /assets/lookup                        | view          | tag
GET    /assets/{id}                          | view          |
POST   /assets                               | create        |
PATCH  /assets/{id}                          | edit          |
DELETE /assets/{id}                          | delete        |
POST   /assets/{id}/image                    | edit          |
GET    /assets/{id}/history                  | view          |
GET    /statuses                             | view          |
POST   /assets/{id}/status                   | edit          | status_id note
POST   /assets/{id}/dispose                  | finance       |
GET    /movements                            | view          |
POST   /movements                            | edit          | asset_id to_location_id to_custodian_id reason ref note
GET    /assets/{id}/movements                | view          |
GET    /checkouts                            | view          | asset_id status overdue issued_to_id
POST   /checkouts                            | edit          | asset_id issued_to_type issued_to_id issued_to_name due_at condition_out note
POST   /checkouts/{id}/return                | edit          | condition_in note returned_at
POST   /checkins                             | edit          | checkout_id condition_in note
POST   /assets/{id}/checkouts                | edit          |
GET    /{collection}                         | view          |
POST   /{collection}                         | manage        |
PATCH  /{collection}/{id}                    | manage        |
DELETE /{collection}/{id}                    | delete        |
GET    /locations/tree                       | view          |
GET    /custom-fields                        | manage        |
POST   /custom-fields                        | manage        |
PATCH  /custom-fields/{id}                   | manage        |
DELETE /custom-fields/{id}                   | manage        |
GET    /stocktake/sessions                   | view          |
POST   /stocktake/sessions                   | audit         | name scope_type scope_id
GET    /stocktake/sessions/{id}              | view          |
POST   /stocktake/sessions/{id}/open         | audit         |
POST   /stocktake/sessions/{id}/scans        | audit         | scans scans.code scans.epc scans.location_id scans.method scans.device_id scans.scanned_at
GET    /stocktake/sessions/{id}/scans        | view          |
POST   /stocktake/sessions/{id}/reconcile    | audit         |
GET    /stocktake/sessions/{id}/variances    | view          |
POST   /stocktake/variances/{id}             | audit         | resolution note
POST   /stocktake/sessions/{id}/close        | audit         |
GET    /work-orders                          | view          | status type asset_id assigned_to priority pm_schedule_id q
GET    /work-orders/{id}                     | view          |
POST   /work-orders                          | edit          |
PATCH  /work-orders/{id}                     | edit          |
POST   /work-orders/{id}/status              | edit          |
GET    /assets/{id}/work-orders              | view          |
POST   /pm-schedules                         | manage        |
POST   /pm-schedules/{id}/generate           | edit          |
GET    /maintenance/due                      | view          | days
GET    /calibrations/due                     | view          | days
GET    /assets/{id}/attachments              | view          |
POST   /assets/{id}/attachments              | edit          |
DELETE /attachments/{id}                     | edit          |
GET    /contracts                            | view          | asset_id type status expiring_days q
GET    /contracts/expiring                   | view          | days
POST   /contracts                            | edit          |
GET    /depreciation/runs                    | view          | book
POST   /depreciation/runs                    | finance       | year month book
GET    /depreciation/runs/{id}               | view          |
POST   /depreciation/runs/{id}/post          | finance       |
POST   /depreciation/runs/{id}/discard       | finance       |
GET    /assets/{id}/depreciation             | view          | book
GET    /assets/{id}/depr-profiles            | finance       |
POST   /assets/{id}/depr-profiles            | finance       |
GET    /reports/register                     | view          |
GET    /reports/by-location                  | view          |
GET    /reports/by-custodian                 | view          |
GET    /reports/by-category                  | view          |
GET    /reports/depreciation                 | view          |
GET    /reports/variance/{sessionId}         | view          |
GET    /export/register.csv                  | view          |
GET    /export/variance.csv                  | view          | session_id
GET    /readers                              | devices       |
POST   /readers                              | devices       | name kind zone_id location_id
GET    /readers/{id}                         | devices       |
POST   /readers/{id}/rotate-secret           | devices       |
POST   /readers/{id}/revoke                  | devices       |
GET    /zones                                | devices       |
PUT    /zones/{id}/locations                 | devices       | location_ids
GET    /alert-rules                          | alerts        |
POST   /alert-rules                          | alerts        | name scope_type scope_id condition channel channel_target
GET    /alerts                               | view          |
POST   /alerts/{id}/ack                      | alerts        |
POST   /alerts/{id}/resolve                  | alerts        |
POST   /ingest/events                        | reader        |
`;

/** Routes that the interface document does not have, and additional parameters on its routes. */
const oursA = `
GET    /v1/assets                                         | assets:read         | q status_id location_id custodian_id updated_since include_deleted sort cursor
POST   /v1/assets/{id}/checkin                            | checkouts:write     | condition_in note
GET    /v1/checkouts/{id}                                 | checkouts:write     |
GET    /v1/tags                                           | tags:read           | page limit asset_id
GET    /v1/tags/{id}                                      | tags:read           |
POST   /v1/tags/commission                                | tags:write          | type
GET    /v1/locations                                      | locations:read      | page limit type
GET    /v1/zones/{id}                                     | locations:read      |
POST   /v1/reader-events/batch                            | reader-events:write | events events.reader_id events.epc events.ts events.signature
GET    /v1/webhooks/{id}                                  | webhooks:read       |
PATCH  /v1/webhooks/{id}                                  | webhooks:write      | url events status
DELETE /v1/webhooks/{id}                                  | webhooks:write      |
POST   /v1/webhooks/{id}/rotate-secret                    | webhooks:write      | overlap_seconds
POST   /v1/webhooks/{id}/test                             | webhooks:write      |
GET    /v1/webhooks/{id}/deliveries                       | webhooks:write      |
POST   /v1/webhooks/{id}/deliveries/{delivery_id}/retry   | webhooks:write      |
GET    /v1/events                                         | events:read         | after types asset_id limit wait
GET    /v1/events/{id}                                    | events:read         |
GET    /v1/events/stream                                  | events:read         | after types asset_id
`;

const oursB = `
POST   /logout                               | signed in     |
POST   /me/password                          | signed in     | current_password new_password
POST   /password/forgot                      | public        | email
POST   /password/reset                       | public        | token new_password
POST   /me/email                             | signed in     | email password
POST   /me/email/confirm                     | public        | token
POST   /users/{id}/mfa/reset                 | admin         |
POST   /login/mfa                            | public        | challenge device_uuid code recovery_code assertion
POST   /login/passkey/options                | public        |
POST   /login/passkey                        | public        | assertion device_uuid label platform app_version
GET    /me/mfa                               | signed in     |
POST   /me/mfa/totp                          | signed in     |
POST   /me/mfa/totp/confirm                  | signed in     | code
DELETE /me/mfa/totp                          | signed in     |
POST   /me/mfa/recovery-codes                | signed in     |
POST   /me/passkeys/options                  | signed in     |
POST   /me/passkeys                          | signed in     | name registration
GET    /me/passkeys                          | signed in     |
PATCH  /me/passkeys/{id}                     | signed in     | name
DELETE /me/passkeys/{id}                     | signed in     |
POST   /me/reauthenticate/options            | signed in     |
POST   /me/reauthenticate                    | signed in     | password code assertion
GET    /sso                                  | admin         |
PUT    /sso                                  | admin         | issuer client_id client_secret scopes provision default_capabilities group_claim groups require_sso mfa_by_provider
DELETE /sso                                  | admin         |
POST   /sso/test                             | admin         |
GET    /sso/domains                          | admin         |
POST   /sso/domains                          | admin         | domain
GET    /sso/domains/{domain}                 | admin         |
DELETE /sso/domains/{domain}                 | admin         |
POST   /sso/domains/{domain}/verify          | admin         |
GET    /sso/start                            | public        | email fresh redirect
GET    /sso/callback/{id}                    | public        |
POST   /sso/exchange                         | public        | code device_uuid
POST   /sso/logout/{id}                      | public        | logout_token
GET    /assets/{id}                          | view          | as_of
PATCH  /assets/{id}                          | edit          | name number category_id location_id custodian_id cost status_id
POST   /assets/{id}/dispose                  | finance       | date method proceeds note
GET    /assets/{id}/image                    | view          | size
DELETE /assets/{id}/image                    | edit          |
POST   /assets/bulk                          | create        | assets
POST   /assets/bulk/update                   | edit          | asset_ids change change.location_id change.custodian_id change.department_id change.category_id change.status_id
GET    /assets/facets                        | view          | by q status_id category_id property_id location_id custodian_id
GET    /assets                               | view          | updated_since include_deleted sort cursor
GET    /movements                            | view          | page per_page sort cursor
GET    /checkouts                            | view          | page per_page sort cursor
GET    /movements/{id}                       | view          |
GET    /checkouts/{id}                       | view          |
GET    /assets/{id}/checkouts                | edit          |
GET    /{collection}/{id}                    | view          |
GET    /custom-fields/{id}                   | manage        |
GET    /stocktake/sessions                   | view          | page per_page sort cursor
POST   /stocktake/sessions                   | audit         | blind
GET    /stocktake/sessions/{id}/expected     | view          |
POST   /stocktake/sessions/{id}/cancel       | audit         |
GET    /stocktake/sessions/{id}/variances    | view          | kind status reason
GET    /stocktake/variances/{id}             | view          |
GET    /reports/variance/{sessionId}         | view          | kind status reason page per_page cursor
GET    /reports/depreciation                 | view          | book from to
GET    /reports/value                        | view          | by from to page per_page cursor
GET    /work-orders                          | view          | page per_page sort cursor
GET    /pm-schedules                         | manage        |
GET    /pm-schedules/{id}                    | manage        |
GET    /pm-schedules/{id}/due                | view          |
PATCH  /pm-schedules/{id}                    | manage        |
DELETE /pm-schedules/{id}                    | manage        |
POST   /pm-schedules/{id}/generate           | edit          | asset_ids
GET    /assets/{id}/calibrations             | view          |
GET    /calibrations/{id}                    | view          |
GET    /assets/{id}/meter-readings           | view          |
GET    /meter-readings/{id}                  | view          |
POST   /assets/{id}/calibrations             | edit          |
POST   /assets/{id}/meter-readings           | edit          |
GET    /attachments/{id}                     | view          |
GET    /contracts                            | view          | page per_page sort cursor
GET    /contracts/{id}                       | view          |
PATCH  /contracts/{id}                       | edit          |
POST   /contracts/{id}/cancel                | edit          |
GET    /depreciation/runs                    | view          | page per_page sort cursor
GET    /depreciation/runs/{id}/lines         | view          | skipped asset_id page per_page cursor
GET    /assets/{id}/depr-profiles            | finance       | page per_page sort cursor
POST   /assets/{id}/depr-profiles            | finance       | book method convention cost salvage life_months in_service_date factor rate switch_to_sl macrs_class total_units opening_accumulated opening_on held_for_sale_on impairment effective_on
GET    /depr-profiles/{id}                   | finance       |
GET    /depreciation/disposals               | view          | book from to page per_page sort cursor
GET    /readers                              | devices       | zone_id kind status silent page per_page cursor
GET    /readers/{id}/activity                | devices       | from to step
GET    /assets/{id}/sightings                | view          | from to per_page cursor expand
GET    /tags/{id}/reads                      | view          | from to per_page cursor expand
GET    /readers/{id}/reads                   | view          | from to per_page cursor expand
GET    /home                                 | view          |
GET    /stocktake/sessions                   | view          | in_progress
GET    /zones/presence                       | view          |
GET    /zones/{id}/presence                  | view          | per_page cursor expand
GET    /agents                               | devices       | page per_page cursor
POST   /agents                               | devices       | name reader_ids
GET    /agents/{id}                          | devices       |
PATCH  /agents/{id}                          | devices       |
DELETE /agents/{id}                          | devices       |
POST   /agents/enrol                         | public        | token
POST   /agents/sync                          | public        | version buffer
POST   /readers                              | devices       | auto_move antennas filters
PATCH  /readers/{id}                         | devices       |
GET    /reader-settings                      | devices       |
PUT    /reader-settings                      | devices       | presence filters unknown_per_hour travel
GET    /zones/{id}                           | devices       |
POST   /zones                                | devices       | name location_ids reader_ids read_points presence
PATCH  /zones/{id}                           | devices       |
DELETE /zones/{id}                           | devices       |
GET    /tags                                 | view          | type assigned ghost asset_id
GET    /tags/{id}                            | view          |
POST   /tags/commission                      | edit          | epc code asset_id type
POST   /tags/{id}/decommission               | edit          | note
GET    /alert-rules/{id}                     | alerts        |
POST   /alert-rules/backtest                 | alerts        | rule from to
GET    /alert-rules/backtests/{id}           | alerts        |
PATCH  /alert-rules/{id}                     | alerts        |
DELETE /alert-rules/{id}                     | alerts        |
POST   /alert-rules/{id}/rotate-secret       | alerts        | overlap_seconds
GET    /alert-rules/{id}/deliveries          | alerts        |
GET    /alerts/{id}                          | view          |
GET    /notices                              | view          |
POST   /notices/{id}/read                    | view          |
GET    /webhooks                             | admin         | page per_page cursor
POST   /webhooks                             | admin         | url events
GET    /webhooks/{id}                        | admin         |
PATCH  /webhooks/{id}                        | admin         | url events status
DELETE /webhooks/{id}                        | admin         |
POST   /webhooks/{id}/rotate-secret          | admin         | overlap_seconds
POST   /webhooks/{id}/test                   | admin         |
GET    /webhooks/{id}/deliveries             | admin         | page per_page cursor
POST   /webhooks/{id}/deliveries/{delivery_id}/retry | admin | delivery_id
POST   /ingest/events                        | reader        | events events.epc events.ts events.antenna events.rssi events.count
GET    /users                                | admin         |
POST   /users                                | admin         | email name capabilities admin
GET    /users/{id}                           | admin         |
PATCH  /users/{id}                           | admin         | name capabilities admin status
POST   /users/{id}/password-reset            | admin         |
POST   /invitations/accept                   | public        | token name password
GET    /api-keys                             | admin         |
POST   /api-keys                             | admin         | name scopes expires_at
GET    /api-keys/{id}                        | admin         |
POST   /api-keys/{id}/rotate                 | admin         | overlap_seconds
POST   /api-keys/{id}/revoke                 | admin         |
GET    /workspace                            | admin         |
PATCH  /workspace                            | admin         |
POST   /labels | view | asset_ids filter.category_id filter.property_id filter.location_id filter.status_id filter.custodian_id filter.q template format code start_at content text dpi missing_tags
GET    /labels/{id} | view |
GET    /labels/{id}/file | view |
POST   /import/assets                        | admin         |
GET    /import/assets/{id}                   | admin         |
GET    /import/assets/{id}/rows              | admin         | status
GET    /audit-log                            | admin         |
GET    /events                               | view          | after types asset_id limit wait
GET    /events/{id}                          | view          |
GET    /events/stream                        | view          | after types asset_id
`;

export type Row = {
  surface: "a" | "b";
  method: string;
  path: string;
  access: string;
  parameters: string[];
};

const COLLECTIONS = [
  "properties",
  "buildings",
  "floors",
  "locations",
  "categories",
  "custodians",
  "departments",
];

export const interfaceRows = [...rowsOf("a", interfaceA), ...rowsOf("b", interfaceB)];
export const ourRows = [...rowsOf("a", oursA), ...rowsOf("b", oursB)];

function rowsOf(surface: Row["surface"], table: string): Row[] {
  const lines = table.trim().split("\n");
  return lines.map((line) => {
    const [route = "", access = "", parameters = ""] = line.split("|").map((cell) => cell.trim());
    const [method = "", path = ""] = route.split(/\s+/);
    return { surface, method, path, access, parameters: parameters.split(/\s+/).filter(Boolean) };
  });
}

/** Replaces each row with `{collection}` by seven rows, one for each collection. */
export const expanded = (rows: Row[]): Row[] =>
  rows.flatMap((row) =>
    row.path.includes("{collection}")
      ? COLLECTIONS.map((name) => ({ ...row, path: row.path.replace("{collection}", name) }))
      : [row],
  );

export const nameOf = ({ surface, method, path }: Row): string => `${surface} ${method} ${path}`;
