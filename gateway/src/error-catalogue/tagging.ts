import {
  AgentService,
  AgentSyncService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/agent_pb";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { ReaderService, ZoneService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { type ErrorCode, ofRpcs } from "./error-code.ts";

/** Codes of tags, readers, agents and what they send. */
export const taggingCodes: ErrorCode[] = [
  ofRpcs({
    code: "TAG_ALREADY_BOUND",
    status: 409,
    cause: "The tag is bound to another asset, or its text is also read as a tag of another asset.",
    cure: "Decommission the other tag first, or use another tag.",
    where: "Commissioning tags",
    rpcs: [TagService.method.commissionTag],
  }),
  ofRpcs({
    code: "ASSET_TAKES_NO_TAG",
    status: 409,
    cause: "The asset is archived, disposed of or deleted.",
    cure: "Give an archived asset another status first, or choose another asset.",
    where: "Commissioning tags",
    rpcs: [TagService.method.commissionTag],
  }),
  ofRpcs({
    code: "READER_REVOKED",
    status: 409,
    cause: "The reader is revoked. A revocation is final.",
    cure: "Register the device as a new reader.",
    where: "Changing a reader, rotating its secret, or naming it in a zone or an agent",
    rpcs: [
      ReaderService.method.updateReader,
      ReaderService.method.rotateReaderSecret,
      AgentService.method.createAgent,
      AgentService.method.updateAgent,
      ZoneService.method.createZone,
      ZoneService.method.updateZone,
    ],
  }),
  ofRpcs({
    code: "AGENT_TOKEN_INVALID",
    status: 401,
    cause: "The token is unknown, used or expired, or its workspace is disabled.",
    cure: "Remove the agent, add it again, and use the new token within 24 hours.",
    where: "Enrolling agents",
    rpcs: [AgentSyncService.method.enrolAgent],
  }),
  ofRpcs({
    code: "AGENT_SIGNATURE_INVALID",
    status: 401,
    cause:
      "The signature is missing, or it does not match the content under the secret of an agent that exists. Or the workspace is disabled.",
    cure: "Sign exactly the text that the API reference describes, with the secret of the enrolment. A removed agent has to be added again.",
    where: "Syncs of agents",
    rpcs: [AgentSyncService.method.syncAgent],
  }),
  ofRpcs({
    code: "READER_HAS_AGENT",
    status: 409,
    cause: "The reader belongs to another agent.",
    cure: "Take the reader out of the other agent first.",
    where: "Naming readers in an agent",
    rpcs: [AgentService.method.createAgent, AgentService.method.updateAgent],
  }),
  ofRpcs({
    code: "NONCE_REUSED",
    status: 409,
    cause: "The reader has already used this nonce with another body, or the agent has already used it.",
    cure: "Use a new nonce for each new body. A reader may use a nonce again only to repeat exactly the same body, an agent never.",
    where: "Batches that readers post to surface B; syncs of agents",
    rpcs: [IngestService.method.ingestSignedBatches, AgentSyncService.method.syncAgent],
  }),
];
