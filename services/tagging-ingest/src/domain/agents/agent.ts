import { hash } from "node:crypto";
import type { Patch } from "@asset-register/rpc";
import type { SealedPlace } from "@asset-register/runtime";
import { secretText } from "../ingest/reader-secret.ts";

/** The fields that a caller may write. A reader is of at most one agent. */
export type AgentFields = { name: string; readerIds: string[] };

export type AgentChange = Patch<AgentFields>;

/** The reads that an agent has not sent yet. */
export type AgentBuffer = { rows: number; oldestAt?: Date | undefined };

/** A program at a site that sends the reads of readers which can't sign (site.md, "Edge agent"). */
export type Agent = AgentFields & {
  id: string;
  workspaceId: string;
  createdAt: Date;
  rev: number;
  /** When it used its token. */
  enrolledAt?: Date | undefined;
  /** Until when its token can be used. Absent once it was. */
  tokenExpiresAt?: Date | undefined;
  /** Its last enrolment or sync. */
  lastSeenAt?: Date | undefined;
  /** Of its program. */
  version?: string | undefined;
  buffer?: AgentBuffer | undefined;
};

/** Fields that an agent reports. They do not raise `rev`. */
export const reportedFields = ["lastSeenAt", "version", "buffer"] as const satisfies readonly (keyof Agent)[];

export const AGENT_TOKEN_MS = 24 * 3_600_000;

/** The displayed text of the token with which an agent enrols, from 32 random bytes. */
export const agentToken = (random: Uint8Array): string => secretText("agtok_", random);

/** Tokens are stored as hashes. They are random, so a plain hash is enough. */
export const agentTokenHash = (token: string): string => hash("sha256", token);

/** The displayed text of an agent's secret, from 32 random bytes. */
export const agentSecret = (random: Uint8Array): string => secretText("agsec_", random);

/** The record that the encryption of an agent's secret is bound to. */
export function agentSecretPlace(agentId: string): SealedPlace {
  return { service: "tagging-ingest", collection: "agents", recordId: agentId };
}

export function newAgent(
  fields: AgentFields,
  { id, workspaceId, at }: { id: string; workspaceId: string; at: Date },
): Agent {
  const tokenExpiresAt = new Date(at.getTime() + AGENT_TOKEN_MS);
  return { ...fields, id, workspaceId, createdAt: at, rev: 1, tokenExpiresAt };
}
