import { testKeys } from "@asset-register/harness";
import { DepreciationProfileService } from "@asset-register/proto/assetregister/finance/v1/depreciation_profile_pb";
import { DepreciationRunService } from "@asset-register/proto/assetregister/finance/v1/depreciation_run_pb";
import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { DeviceService } from "@asset-register/proto/assetregister/identity/v1/device_pb";
import { MfaService } from "@asset-register/proto/assetregister/identity/v1/mfa_pb";
import { PasskeyService } from "@asset-register/proto/assetregister/identity/v1/passkey_pb";
import { SsoService } from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { WorkspaceService } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { AttachmentService } from "@asset-register/proto/assetregister/maintenance/v1/attachment_pb";
import { ContractService } from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { PmScheduleService } from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { WorkOrderService } from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { AlertService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { AlertRuleReceiverService } from "@asset-register/proto/assetregister/notification/v1/alert_rule_receiver_pb";
import { WebhookService } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { AssetImageService } from "@asset-register/proto/assetregister/register/v1/asset_image_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { CustomFieldService } from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { OrganisationService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ReconcileService } from "@asset-register/proto/assetregister/stocktake/v1/reconcile_pb";
import { ScanService } from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import { StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { VarianceService } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { AgentService } from "@asset-register/proto/assetregister/tagging_ingest/v1/agent_pb";
import { ReaderService, ZoneService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { ReaderSettingsService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_settings_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { type Implementation, takesIfRev } from "@asset-register/rpc";
import { requireRev } from "@asset-register/runtime";
import { serving, startFakeService } from "@asset-register/service-harness";
import type { DescService } from "@bufbuild/protobuf";
import { startGateway } from "./gateway.ts";

/** The RPCs that made a change, in order. */
export const changed: string[] = [];

export const UUID = "01890a5d-ac96-774b-bcce-b302099a8057";

/** The one record of all services, at rev 3. */
const record = { id: "any_1", kind: 1, status: 1, plan: 1, issuedToType: 1, rev: 3 };

/** A service whose conditional RPCs behave like the real ones: they compare the rev, then make the change. */
function conditional(desc: DescService, response: object, more: object = {}): Implementation {
  const handlers = desc.methods.filter(takesIfRev).map(({ localName }) => [
    localName,
    ({ ifRevIn }: { ifRevIn: number[] }) => {
      requireRev(3, ifRevIn);
      changed.push(localName);
      return response;
    },
  ]);
  return serving(desc, { ...Object.fromEntries(handlers), ...more });
}

const alertRule = {
  ...{ ...record, scopeType: 1, channel: 3 },
  condition: { condition: { case: "unknownTag" as const, value: {} } },
};

/** The fakes of the services that the helper of the gateway's tests does not start. */
const implementations = [
  conditional(AlertService, { alert: record, alertRule }),
  conditional(WebhookService, { webhook: record, secret: "whsec_x", delivery: { id: "dlv_1", status: 1 } }),
  conditional(AlertRuleReceiverService, { alertRule, secret: "whsec_x" }),
  conditional(StocktakeService, { session: { ...record, scopeType: 1 } }),
  conditional(ScanService, { results: [] }),
  conditional(ReconcileService, { session: { ...record, scopeType: 1 } }),
  conditional(VarianceService, { variance: record }),
  conditional(AttachmentService, {}),
  conditional(ContractService, { contract: { ...record, type: 1 } }),
  conditional(PmScheduleService, {
    pmSchedule: { ...record, template: { type: 1, priority: 1 } },
    results: [],
  }),
  conditional(DepreciationProfileService, {
    profile: { ...record, book: 1, method: 1, convention: 1, inServiceDate: "2026-01-01" },
  }),
  conditional(DepreciationRunService, { run: { ...record, book: 1, totals: {}, progress: {} } }),
  conditional(WorkOrderService, { workOrder: { ...record, type: 1, priority: 1 } }),
];

/** Starts a gateway in front of services that have one record. */
export async function startConditionalGateway() {
  const keys = testKeys("gateway", "upstream");
  const upstream = await startFakeService("upstream", keys, implementations);
  const gateway = await startGateway({
    implementations: [
      conditional(UserService, { user: record }),
      conditional(MfaService, { user: record }),
      conditional(PasskeyService, { passkey: record }),
      conditional(WorkspaceService, { workspace: record }),
      conditional(SsoService, {
        connection: { ...record, requireSso: 1 },
        domain: { ...record, domain: "any_1" },
      }),
      conditional(
        ApiKeyService,
        { apiKey: record, key: "ask_live_x" },
        { getApiKey: () => ({ apiKey: record }) },
      ),
      conditional(CustodyService, { checkout: record, movement: { id: "mov_1" }, changed: true }),
      conditional(ReaderSettingsService, { settings: { ...record, travel: {} } }),
      conditional(AgentService, { agent: record }),
      conditional(ReaderService, { reader: record, secret: "rdsec_x" }),
      conditional(ZoneService, { zone: record }, { createZone: () => ({ zone: { ...record, rev: 1 } }) }),
      conditional(TagService, { tag: { ...record, type: 1 } }),
      serving(DeviceService, { revokeDevice: () => ({ device: { deviceUuid: UUID } }) }),
      conditional(AssetService, { asset: record }, { createAsset: () => ({ asset: { ...record, rev: 1 } }) }),
      conditional(AssetImageService, { asset: record }),
      conditional(CustomFieldService, { customField: { ...record, type: 1 } }),
      conditional(OrganisationService, { record }),
    ],
    keys,
    settings: {
      NOTIFICATION_ADDRESS: upstream.address,
      STOCKTAKE_ADDRESS: upstream.address,
      MAINTENANCE_ADDRESS: upstream.address,
      FINANCE_ADDRESS: upstream.address,
      RATE_LIMIT_BUSINESS: "60000/10000",
      RATE_LIMIT_SESSION: "60000/10000",
    },
  });
  const { apiKey, session } = gateway.accounts;
  return {
    gateway,
    credential: {
      v1: apiKey("assets:write", "checkouts:write", "webhooks:write"),
      asset_manager_api: session("admin"),
    },
    async stop() {
      await gateway.stop();
      await upstream.stop();
    },
  };
}
