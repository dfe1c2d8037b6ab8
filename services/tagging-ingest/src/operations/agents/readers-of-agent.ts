import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import { secretPlace } from "../../domain/ingest/reader-secret.ts";
import type { Reader } from "../../domain/readers/reader.ts";

/** A reader, and the secret that signs its reads. */
export type SigningReader = Pick<Reader, "id" | "name" | "kind"> & { secret: string };

/** An agent, and what it needs to send the reads of its readers. */
export type AgentAndReaders = { agent: Agent; readers: SigningReader[] };

/** The active readers of an agent, each with its newest secret. */
export async function readersOfAgent(
  { stores, keyring }: Context,
  { workspaceId, readerIds }: Agent,
  session: ClientSession,
): Promise<SigningReader[]> {
  const found = await stores.readers.getMany(workspaceId, readerIds, session);
  return readerIds.flatMap((id) => {
    const reader = found.get(id);
    const newest = reader?.secrets.find(({ endsAt }) => endsAt === undefined);
    if (reader?.status !== "active" || newest === undefined) return [];
    const { name, kind } = reader;
    return [{ id, name, kind, secret: keyring.decrypt(newest.sealed, secretPlace(id)).toString("utf8") }];
  });
}
