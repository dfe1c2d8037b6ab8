import {
  AgentReaderSchema,
  AgentSchema,
  AgentStatus,
  CreateAgentRequestSchema,
  EnrolAgentRequestSchema,
  SyncAgentRequestSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/agent_pb";
import { ReaderKind } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, id, ids, instant, like, named, nullable, rev, textOf, unset } from "../http/schemas.ts";
import { defaulted, required } from "../http/writable.ts";

const rows = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [1200] });

export const agent = resource(AgentSchema, "Agent", {
  id: id("agt"),
  name: required(named("Depot north")),
  reader_ids: defaulted(ids("rdr", "Readers whose reads it sends", limits.agentReaders), {
    shown: Type.Array(id("rdr")),
    patched: { description: "Its readers from now on. It learns of them within an hour" },
  }),
  status: enumOf(AgentStatus),
  version: nullable(like("1.0.0")),
  last_seen_at: nullable(instant("Its last enrolment or sync, which comes once an hour")),
  buffer: nullable(
    Type.Object(
      { rows, oldest_at: nullable(instant()) },
      { description: "The reads that it had not sent at its last sync" },
    ),
  ),
  rev,
  created_at: nullable(instant()),
  token_expires_at: unset(instant("Until when its token can be used; null once it was")),
});

export const newAgentSchema = newBody(agent);
export const toNewAgent = requestMessage(CreateAgentRequestSchema, newAgentSchema);
export const agentPatch = mergePatch(agent);

/** The answer to the creation, which shows the token. */
export const agentWithTokenSchema = Type.Object(
  {
    ...agent.schema.properties,
    token: Type.String({
      description: "For `edge-agent enrol`. It works once, for 24 hours, and is shown only here",
      examples: ["agtok_AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"],
    }),
  },
  { title: "AgentWithToken" },
);

export const agentReader = resource(AgentReaderSchema, "AgentReader", {
  id: id("rdr"),
  name: named("Portal at gate 3"),
  kind: enumOf(ReaderKind),
  secret: Type.String({ examples: ["rdsec_AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"] }),
});

const agentAndReaders = {
  agent: agent.schema,
  readers: Type.Array(agentReader.schema, { description: "Its active readers, with their present secrets" }),
};

export const enrolmentSchema = body({
  token: textOf(limits.line, "agtok_AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"),
});
export const toEnrolment = requestMessage(EnrolAgentRequestSchema, enrolmentSchema);

export const enrolledSchema = Type.Object(
  {
    ...agentAndReaders,
    secret: Type.String({
      description: "Signs the syncs of the agent. It is shown only here",
      examples: ["agsec_AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"],
    }),
  },
  { title: "EnrolledAgent" },
);

export const syncSchema = body({
  version: Type.Optional(textOf(limits.deviceText, "1.0.0")),
  buffer: Type.Optional(
    body(
      { rows: Type.Optional(rows), oldest_at: Type.Optional(instant()) },
      { description: "The reads that are not sent yet" },
    ),
  ),
});
export const toSync = requestMessage(SyncAgentRequestSchema, syncSchema);

export const syncedSchema = Type.Object(agentAndReaders, { title: "SyncedAgent" });
