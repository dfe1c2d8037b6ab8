import type { FastifyPluginAsync } from "fastify";
import { problem } from "../http/error-body.ts";
import { openapi } from "../openapi/document.ts";
import { documentOfB } from "../openapi/surfaces.ts";
import { authenticate } from "../plugins/authenticate.ts";
import { crossOrigin } from "../plugins/cross-origin.ts";
import { errorHandler } from "../plugins/error-handler.ts";
import { expansions } from "../plugins/expansions.ts";
import { heavyRequests } from "../plugins/heavy-requests.ts";
import { loadShedding } from "../plugins/load-shedding.ts";
import { unknownAddresses } from "../plugins/unknown-addresses.ts";
import type { Surface } from "../surface.ts";
import { agentSync } from "./agent-sync.ts";
import { agents } from "./agents.ts";
import { alertRuleReceivers } from "./alert-rule-receivers.ts";
import { alerts } from "./alerts.ts";
import { apiKeys } from "./api-keys.ts";
import { assetBulk } from "./asset-bulk.ts";
import { assetBulkUpdate } from "./asset-bulk-update.ts";
import { assetDepreciations } from "./asset-depreciation.ts";
import { assetFacets } from "./asset-facets.ts";
import { assetImages } from "./asset-images.ts";
import { thumbnailProperty } from "./asset-thumbnails.ts";
import { assetWrites } from "./asset-writes.ts";
import { assets } from "./assets.ts";
import { attachments } from "./attachments.ts";
import { auditLog } from "./audit-log.ts";
import { backtests } from "./backtests.ts";
import { calibrations } from "./calibrations.ts";
import { checkouts } from "./checkouts.ts";
import { contracts } from "./contracts.ts";
import { customFields } from "./custom-fields.ts";
import { depreciationProfiles } from "./depreciation-profiles.ts";
import { depreciationRuns } from "./depreciation-runs.ts";
import { devices } from "./devices.ts";
import { events } from "./events.ts";
import { home } from "./home.ts";
import { imports } from "./imports.ts";
import { ingestEvents } from "./ingest-events.ts";
import { invitations } from "./invitations.ts";
import { labels } from "./labels.ts";
import { mfa } from "./mfa.ts";
import { movements } from "./movements.ts";
import { notices } from "./notices.ts";
import { organisation } from "./organisation.ts";
import { passkeys } from "./passkeys.ts";
import { passwords } from "./passwords.ts";
import { pmSchedules } from "./pm-schedules.ts";
import { presence } from "./presence.ts";
import { readerSettingsOfWorkspace } from "./reader-settings.ts";
import { readers } from "./readers.ts";
import { reports } from "./reports.ts";
import { returns } from "./returns.ts";
import { sessions } from "./sessions.ts";
import { sightings } from "./sightings.ts";
import { sso } from "./sso.ts";
import { ssoSignIn } from "./sso-sign-in.ts";
import { stocktakeResults } from "./stocktake-results.ts";
import { stocktakeScans } from "./stocktake-scans.ts";
import { stocktakeSessions } from "./stocktake-sessions.ts";
import { tags } from "./tags.ts";
import { tenantConfig } from "./tenant-config.ts";
import { users } from "./users.ts";
import { varianceReports } from "./variance-reports.ts";
import { webhooks } from "./webhooks.ts";
import { workOrders } from "./work-orders.ts";
import { workspace } from "./workspace.ts";
import { zones } from "./zones.ts";

/** Surface B, for apps of people: sign-in sessions, plain records, and errors as RFC 9457 problems. */
export const surfaceB =
  (surface: Surface): FastifyPluginAsync =>
  async (app) => {
    await app.register(errorHandler, { body: problem });
    await app.register(crossOrigin, { origins: surface.config.CORS_ORIGINS });
    await app.register(loadShedding, { body: problem, ...surface });
    await app.register(unknownAddresses);
    await app.register(authenticate, { kind: "access_token", ...surface });
    await app.register(heavyRequests);
    await app.register(expansions, { own: thumbnailProperty });
    await app.register(openapi, { surface: documentOfB });
    for (const resource of [
      sessions,
      mfa,
      passkeys,
      tenantConfig,
      home,
      devices,
      users,
      invitations,
      passwords,
      workspace,
      sso,
      ssoSignIn,
      auditLog,
      apiKeys,
      assets,
      assetBulk,
      assetBulkUpdate,
      assetFacets,
      assetWrites,
      assetImages,
      imports,
      labels,
      movements,
      checkouts,
      returns,
      organisation,
      customFields,
      readers,
      agents,
      agentSync,
      readerSettingsOfWorkspace,
      zones,
      presence,
      sightings,
      tags,
      alertRuleReceivers,
      backtests,
      alerts,
      notices,
      webhooks,
      stocktakeSessions,
      stocktakeScans,
      stocktakeResults,
      varianceReports,
      workOrders,
      contracts,
      pmSchedules,
      calibrations,
      attachments,
      depreciationProfiles,
      depreciationRuns,
      assetDepreciations,
      reports,
      ingestEvents,
      events,
    ]) {
      await app.register(resource, surface);
    }
  };
