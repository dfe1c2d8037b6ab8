import { AssetDepreciationService } from "@asset-register/proto/assetregister/finance/v1/asset_depreciation_pb";
import { DepreciationProfileService } from "@asset-register/proto/assetregister/finance/v1/depreciation_profile_pb";
import { DepreciationReportService } from "@asset-register/proto/assetregister/finance/v1/depreciation_report_pb";
import { DepreciationRunService } from "@asset-register/proto/assetregister/finance/v1/depreciation_run_pb";
import { DisposalService } from "@asset-register/proto/assetregister/finance/v1/disposal_pb";
import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { AuditService } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import { CredentialService } from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { DeviceService } from "@asset-register/proto/assetregister/identity/v1/device_pb";
import { MfaService } from "@asset-register/proto/assetregister/identity/v1/mfa_pb";
import { NameService as IdentityNameService } from "@asset-register/proto/assetregister/identity/v1/name_pb";
import { PasskeyService } from "@asset-register/proto/assetregister/identity/v1/passkey_pb";
import { PasswordService } from "@asset-register/proto/assetregister/identity/v1/password_pb";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { SsoService } from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { WorkspaceService } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { AttachmentService } from "@asset-register/proto/assetregister/maintenance/v1/attachment_pb";
import { CalibrationService } from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import { ContractService } from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { MeterReadingService } from "@asset-register/proto/assetregister/maintenance/v1/meter_reading_pb";
import {
  DueListService,
  PmScheduleService,
} from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { WorkOrderService } from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { AlertService, NoticeService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { AlertRuleReceiverService } from "@asset-register/proto/assetregister/notification/v1/alert_rule_receiver_pb";
import { BacktestService } from "@asset-register/proto/assetregister/notification/v1/backtest_pb";
import { FeedService, FeedWatchService } from "@asset-register/proto/assetregister/notification/v1/feed_pb";
import { WebhookService } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { AssetImageService } from "@asset-register/proto/assetregister/register/v1/asset_image_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { CustomFieldService } from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { ImportService } from "@asset-register/proto/assetregister/register/v1/import_pb";
import { LabelService } from "@asset-register/proto/assetregister/register/v1/label_pb";
import { NameService as RegisterNameService } from "@asset-register/proto/assetregister/register/v1/name_pb";
import { OrganisationService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ReportService } from "@asset-register/proto/assetregister/register/v1/report_pb";
import { ReconcileService } from "@asset-register/proto/assetregister/stocktake/v1/reconcile_pb";
import { ScanService } from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import { StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { VarianceService } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { VarianceReportService } from "@asset-register/proto/assetregister/stocktake/v1/variance_report_pb";
import {
  AgentService,
  AgentSyncService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/agent_pb";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { NameService as TaggingNameService } from "@asset-register/proto/assetregister/tagging_ingest/v1/name_pb";
import { PresenceService } from "@asset-register/proto/assetregister/tagging_ingest/v1/presence_pb";
import { ReaderService, ZoneService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { ReaderSettingsService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_settings_pb";
import { SightingService } from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import {
  type CallOptions,
  type Client,
  createRpcClient,
  createUpstream,
  type ServiceIdentity,
  type Upstream,
} from "@asset-register/rpc";
import type { Logger, Metrics } from "@asset-register/runtime";
import type {
  DescMessage,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Config } from "./config.ts";

export type Clients = ReturnType<typeof connectClients>;

type Options = {
  config: Config;
  identity: ServiceIdentity;
  metrics: Metrics;
  logger: Logger;
  /** Maximum of concurrent calls to one upstream. */
  maxCalls: number;
};

/** A report reads all assets of its workspace. */
const REPORT_DEADLINE_MS = 15_000;

/**
 * Connects clients to the proto services. The clients of one upstream share its connections, circuit breaker and limit
 * of concurrent calls. One service may be several upstreams, so that some calls do not block others.
 */
export function connectClients({ config, ...shared }: Options) {
  const upstreams: Upstream[] = [];
  const upstreamOf = (name: string, address: string, maxCalls = shared.maxCalls): Upstream => {
    const upstream = createUpstream({ ...shared, name, address, maxCalls, breaker: true });
    upstreams.push(upstream);
    return upstream;
  };
  const clientOf = <D extends DescService>(
    desc: D,
    upstream: Upstream,
    deadlineMs = config.UPSTREAM_DEADLINE,
  ): Client<D> => createRpcClient(desc, { upstream, deadlineMs });
  const clients = new Map<string, Readonly<Record<string, unknown>>>();
  /** Makes the client that `call` uses for a proto service. */
  const mainClient = <D extends DescService>(desc: D, upstream: Upstream, deadlineMs?: number): Client<D> => {
    const client = clientOf(desc, upstream, deadlineMs);
    clients.set(desc.typeName, client);
    return client;
  };
  const identity = upstreamOf("identity", config.IDENTITY_ADDRESS);
  // Every request verifies its credential: other calls to identity must not block that.
  const credentials = upstreamOf("identity-credentials", config.IDENTITY_ADDRESS);
  // Password checks are the slowest calls to identity, and anybody can cause them.
  const signIns = upstreamOf("identity-sign-ins", config.IDENTITY_ADDRESS, Math.ceil(shared.maxCalls / 4));
  // Providers and name servers of companies may be slow. They must not open the breaker of the other sign-ins.
  const sso = upstreamOf("identity-sso", config.IDENTITY_ADDRESS, Math.ceil(shared.maxCalls / 4));
  const register = upstreamOf("register", config.REGISTER_ADDRESS);
  // Reports take seconds. Slow ones must not open the breaker of the other routes.
  const reports = upstreamOf("register-reports", config.REGISTER_ADDRESS);
  const tagging = upstreamOf("tagging-ingest", config.TAGGING_INGEST_ADDRESS);
  // Without Kafka every event is refused. That must not open the breaker of the other routes.
  const events = upstreamOf("tagging-ingest-events", config.TAGGING_INGEST_ADDRESS);
  const notification = upstreamOf("notification", config.NOTIFICATION_ADDRESS);
  // Streams read the event feed also while nobody asks. A client that hangs in a page must not stop them.
  const feedWatch = upstreamOf("notification-feed-watch", config.NOTIFICATION_ADDRESS);
  const stocktake = upstreamOf("stocktake", config.STOCKTAKE_ADDRESS);
  const maintenance = upstreamOf("maintenance", config.MAINTENANCE_ADDRESS);
  const finance = upstreamOf("finance", config.FINANCE_ADDRESS);
  // Names and thumbnails only complete an answer. Without them, their short deadline must not open the breaker of the
  // other routes.
  const registerNames = upstreamOf("register-names", config.REGISTER_ADDRESS);
  const identityNames = upstreamOf("identity-names", config.IDENTITY_ADDRESS);
  const taggingNames = upstreamOf("tagging-ingest-names", config.TAGGING_INGEST_ADDRESS);
  const namesOf = <D extends DescService>(desc: D, upstream: Upstream): Client<D> =>
    clientOf(desc, upstream, config.NAMES_DEADLINE);
  return {
    /** The names of records, for `expand`. */
    names: {
      register: namesOf(RegisterNameService, registerNames),
      identity: namesOf(IdentityNameService, identityNames),
      tagging: namesOf(TaggingNameService, taggingNames),
    },
    /** For `expand=thumbnail`. */
    thumbnails: namesOf(AssetImageService, registerNames),
    /** For calls that check a password or need no credential. */
    signIns: {
      passwords: clientOf(PasswordService, signIns),
      mfa: clientOf(MfaService, signIns),
      sessions: clientOf(SessionService, signIns),
      users: clientOf(UserService, signIns),
    },
    mfa: mainClient(MfaService, identity),
    passkeys: mainClient(PasskeyService, identity),
    sessions: mainClient(SessionService, identity),
    credentials: mainClient(CredentialService, credentials),
    apiKeys: mainClient(ApiKeyService, identity),
    devices: mainClient(DeviceService, identity),
    users: mainClient(UserService, identity),
    passwords: mainClient(PasswordService, identity),
    sso: mainClient(SsoService, sso, 15_000),
    workspaces: mainClient(WorkspaceService, identity),
    audit: mainClient(AuditService, identity),
    assets: mainClient(AssetService, register),
    assetImages: mainClient(AssetImageService, register),
    imports: mainClient(ImportService, register),
    labels: mainClient(LabelService, register),
    organisation: mainClient(OrganisationService, register),
    custody: mainClient(CustodyService, register),
    reports: mainClient(ReportService, reports, Math.max(config.UPSTREAM_DEADLINE, REPORT_DEADLINE_MS)),
    customFields: mainClient(CustomFieldService, register),
    agents: mainClient(AgentService, tagging),
    agentSyncs: mainClient(AgentSyncService, tagging),
    tags: mainClient(TagService, tagging),
    presence: mainClient(PresenceService, tagging),
    readers: mainClient(ReaderService, tagging),
    readerSettings: mainClient(ReaderSettingsService, tagging),
    sightings: mainClient(SightingService, tagging),
    zones: mainClient(ZoneService, tagging),
    ingest: mainClient(IngestService, events),
    webhooks: mainClient(WebhookService, notification),
    alerts: mainClient(AlertService, notification),
    alertRuleReceivers: mainClient(AlertRuleReceiverService, notification),
    backtests: mainClient(BacktestService, notification),
    notices: mainClient(NoticeService, notification),
    feed: mainClient(FeedService, notification),
    feedWatch: mainClient(FeedWatchService, feedWatch),
    stocktake: mainClient(StocktakeService, stocktake),
    scans: mainClient(ScanService, stocktake),
    reconcile: mainClient(ReconcileService, stocktake),
    variances: mainClient(VarianceService, stocktake),
    varianceReports: mainClient(VarianceReportService, stocktake),
    attachments: mainClient(AttachmentService, maintenance),
    contracts: mainClient(ContractService, maintenance),
    workOrders: mainClient(WorkOrderService, maintenance),
    pmSchedules: mainClient(PmScheduleService, maintenance),
    dueLists: mainClient(DueListService, maintenance),
    calibrations: mainClient(CalibrationService, maintenance),
    meterReadings: mainClient(MeterReadingService, maintenance),
    assetDepreciation: mainClient(AssetDepreciationService, finance),
    depreciationReports: mainClient(DepreciationReportService, finance),
    depreciationProfiles: mainClient(DepreciationProfileService, finance),
    depreciationRuns: mainClient(DepreciationRunService, finance),
    disposals: mainClient(DisposalService, finance),

    /**
     * Calls a unary RPC by its descriptor.
     *
     * @throws Error when there is no client of its proto service
     */
    call<I extends DescMessage, O extends DescMessage>(
      { parent, localName }: DescMethodUnary<I, O>,
      request: MessageInitShape<I>,
      options: CallOptions,
    ): Promise<MessageShape<O>> {
      const method: unknown = clients.get(parent.typeName)?.[localName];
      if (typeof method !== "function") throw new Error(`No client of ${parent.typeName}`);
      // A client has a function of this type for each method of its service.
      return (method as (request: unknown, options: CallOptions) => Promise<MessageShape<O>>)(
        request,
        options,
      );
    },

    close() {
      for (const upstream of upstreams) upstream.close();
    },
  };
}
