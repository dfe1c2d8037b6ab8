import {
  type AgentReaderSchema,
  type AgentSchema,
  AgentStatus,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/agent_pb";
import { encodeInstants } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Agent } from "../domain/agents/agent.ts";
import type { Reader } from "../domain/readers/reader.ts";
import { readerKindNames } from "./reader.ts";

export function encodeAgent({ buffer, ...agent }: Agent): MessageInitShape<typeof AgentSchema> {
  return {
    ...encodeInstants(agent),
    status: agent.enrolledAt === undefined ? AgentStatus.PENDING : AgentStatus.ACTIVE,
    buffer: buffer && { ...encodeInstants(buffer), rows: BigInt(buffer.rows) },
  };
}

export function encodeAgentReader(
  reader: Pick<Reader, "id" | "name" | "kind"> & { secret: string },
): MessageInitShape<typeof AgentReaderSchema> {
  return { ...reader, kind: readerKindNames.encode(reader.kind) };
}
