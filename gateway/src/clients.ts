import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { AuditService } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import { CredentialService } from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { DeviceService } from "@asset-register/proto/assetregister/identity/v1/device_pb";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { WorkspaceService } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { AlertService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { WebhookService } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { OrganisationService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { ReaderService, ZoneService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import {
  type Client,
  createRpcClient,
  createUpstream,
  type ServiceIdentity,
  type Upstream,
} from "@asset-register/rpc";
import type { Address, Logger, Metrics } from "@asset-register/runtime";
import type { DescService } from "@bufbuild/protobuf";
import type { Config } from "./config.ts";

export type Clients = ReturnType<typeof connectClients>;

type Options = {
  config: Config;
  identity: ServiceIdentity;
  metrics: Metrics;
  logger: Logger;
  /** To one upstream at a time. */
  maxCalls: number;
};

/** Clients of the proto services. Those of one upstream share its connections, its breaker and its bound. */
export function connectClients({ config, ...shared }: Options) {
  const upstreamOf = (name: string, address: Address, maxCalls = shared.maxCalls): Upstream =>
    createUpstream({ ...shared, name, address, maxCalls, breaker: true });
  const clientOf = <D extends DescService>(desc: D, upstream: Upstream): Client<D> =>
    createRpcClient(desc, { upstream, deadlineMs: config.UPSTREAM_DEADLINE });
  const identity = upstreamOf("identity", config.IDENTITY_ADDRESS);
  // Every request hangs on its credential: nothing that somebody asks of identity may stand in the way of that.
  const credentials = upstreamOf("identity-credentials", config.IDENTITY_ADDRESS);
  // Passwords take identity longest, and anybody may send them.
  const signIns = upstreamOf("identity-sign-ins", config.IDENTITY_ADDRESS, Math.ceil(shared.maxCalls / 4));
  const register = upstreamOf("register", config.REGISTER_ADDRESS);
  const tagging = upstreamOf("tagging-ingest", config.TAGGING_INGEST_ADDRESS);
  // Without Kafka every event is refused, and breaks no more than that.
  const events = upstreamOf("tagging-ingest-events", config.TAGGING_INGEST_ADDRESS);
  const notification = upstreamOf("notification", config.NOTIFICATION_ADDRESS);
  return {
    /** For what takes a password, or needs no credential. */
    signIns: { sessions: clientOf(SessionService, signIns), users: clientOf(UserService, signIns) },
    sessions: clientOf(SessionService, identity),
    credentials: clientOf(CredentialService, credentials),
    apiKeys: clientOf(ApiKeyService, identity),
    devices: clientOf(DeviceService, identity),
    users: clientOf(UserService, identity),
    workspaces: clientOf(WorkspaceService, identity),
    audit: clientOf(AuditService, identity),
    assets: clientOf(AssetService, register),
    organisation: clientOf(OrganisationService, register),
    custody: clientOf(CustodyService, register),
    tags: clientOf(TagService, tagging),
    readers: clientOf(ReaderService, tagging),
    zones: clientOf(ZoneService, tagging),
    ingest: clientOf(IngestService, events),
    webhooks: clientOf(WebhookService, notification),
    alerts: clientOf(AlertService, notification),
    close() {
      for (const upstream of [identity, credentials, signIns, register, tagging, events, notification]) {
        upstream.close();
      }
    },
  };
}
