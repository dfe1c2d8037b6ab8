import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { AlertService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { WebhookService } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { ReaderService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { type ErrorCode, ofRpcs } from "./error-code.ts";

const { createCheckout, returnCheckout, createMovement } = CustodyService.method;

/** One code for each rule that a record's state can break. */
export const domainCodes: ErrorCode[] = [
  ofRpcs({
    code: "ASSET_CHECKED_OUT",
    status: 409,
    cause: "The asset is checked out.",
    cure: "Return it first.",
    who: "check-outs; movements to another custodian",
    rpcs: [createCheckout, createMovement],
  }),
  ofRpcs({
    code: "ASSET_NOT_CHECKED_OUT",
    status: 409,
    cause: "The asset is not checked out.",
    cure: "Nothing is to be returned.",
    who: "check-ins",
    rpcs: [returnCheckout],
  }),
  ofRpcs({
    code: "CHECKOUT_RETURNED",
    status: 409,
    cause: "The checkout has been returned already.",
    cure: "Nothing is to be returned.",
    who: "check-ins",
    rpcs: [returnCheckout],
  }),
  ofRpcs({
    code: "ASSET_NOT_DEPLOYABLE",
    status: 409,
    cause: "The asset's status does not allow a checkout.",
    cure: "Give it a status of the class deployable first.",
    who: "check-outs",
    rpcs: [createCheckout],
  }),
  ofRpcs({
    code: "ASSET_DISPOSED",
    status: 409,
    cause: "The asset has been disposed of.",
    cure: "Nothing more can be done with it.",
    who: "check-outs and movements",
    rpcs: [createCheckout, createMovement],
  }),
  ofRpcs({
    code: "ASSET_NUMBER_TAKEN",
    status: 409,
    cause: "Another asset has this number, without regard to case.",
    cure: "Choose another number, or leave it out and get the next one.",
    who: "creating assets",
    rpcs: [AssetService.method.createAsset],
  }),
  ofRpcs({
    code: "TAG_ALREADY_BOUND",
    status: 409,
    cause: "The tag is bound to another asset.",
    cure: "Decommission it there first.",
    who: "commissioning tags",
    rpcs: [TagService.method.commissionTag],
  }),
  ofRpcs({
    code: "READER_REVOKED",
    status: 409,
    cause: "The reader is revoked, for good.",
    cure: "Register it as a new reader.",
    who: "rotating a reader's secret",
    rpcs: [ReaderService.method.rotateReaderSecret],
  }),
  ofRpcs({
    code: "NONCE_REUSED",
    status: 409,
    cause: "The reader has sent another body with this nonce.",
    cure: "Use a new nonce for each new body, and the old one only to repeat it as it was.",
    who: "readers' batches on surface B",
    rpcs: [IngestService.method.ingestSignedBatches],
  }),
  ofRpcs({
    code: "ALERT_RESOLVED",
    status: 409,
    cause: "The alert is resolved, which is final.",
    cure: "Nothing is to be acknowledged.",
    who: "acknowledging alerts",
    rpcs: [AlertService.method.acknowledgeAlert],
  }),
  ofRpcs({
    code: "ALERT_RULE_LIMIT_REACHED",
    status: 409,
    cause: "The workspace has 100 alert rules, which is the most.",
    cure: "Let a rule of a wider scope stand for several.",
    who: "creating alert rules",
    rpcs: [AlertService.method.createAlertRule],
  }),
  ofRpcs({
    code: "WEBHOOK_LIMIT_REACHED",
    status: 409,
    cause: "The workspace has 20 webhook subscriptions, which is the most.",
    cure: "Delete one first.",
    who: "creating webhooks",
    rpcs: [WebhookService.method.createWebhook],
  }),
  ofRpcs({
    code: "WEBHOOK_URL_UNSAFE",
    status: 422,
    cause: "The URL is not https to a public host on port 443 or 8443.",
    cure: "Give the URL of a receiver that the internet can reach.",
    who: "creating webhooks, and alert rules that post to one",
    rpcs: [WebhookService.method.createWebhook, AlertService.method.createAlertRule],
  }),
  ofRpcs({
    code: "API_KEY_ENDED",
    status: 409,
    cause: "The key is revoked or has expired.",
    cure: "Make a new key.",
    who: "rotating keys",
    rpcs: [ApiKeyService.method.rotateApiKey],
  }),
  ofRpcs({
    code: "API_KEY_ROTATED_TOO_OFTEN",
    status: 409,
    cause: "Five earlier texts of the key are still taken.",
    cure: "Rotate with a shorter overlap, or wait until one has ended.",
    who: "rotating keys",
    rpcs: [ApiKeyService.method.rotateApiKey],
  }),
  ofRpcs({
    code: "LAST_ADMIN",
    status: 409,
    cause: "The workspace would be left without an active admin.",
    cure: "Make another user an admin first.",
    who: "changing users",
    rpcs: [UserService.method.updateUser],
  }),
];
