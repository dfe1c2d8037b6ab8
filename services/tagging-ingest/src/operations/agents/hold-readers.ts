import { type ClientSession, isDuplicateKey } from "@asset-register/mongo";
import { conflict } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { AGENT_OF_READER } from "../../store/agents/agents.ts";
import { readerRevoked } from "../zones/move-readers.ts";
import { requireAll } from "../zones/require-locations.ts";

/**
 * These readers, each once. `held` are the agent's already: they may be revoked.
 *
 * @throws AppError NOT_FOUND that names each place of a reader that does not exist, READER_REVOKED
 */
export async function requireReaders(
  { stores }: Context,
  workspaceId: string,
  { wanted, held = [] }: { wanted: readonly string[]; held?: readonly string[] },
  session: ClientSession,
): Promise<string[]> {
  const added = wanted.filter((id) => !held.includes(id));
  const known = await stores.readers.getMany(workspaceId, added, session);
  const readerIds = requireAll("reader_ids", wanted, new Set([...held, ...known.keys()]));
  if ([...known.values()].some(({ status }) => status === "revoked")) throw readerRevoked();
  return readerIds;
}

/** Runs a change of an agent. @throws AppError READER_HAS_AGENT when one of its readers is of another agent */
export async function holdReaders<R>(change: () => Promise<R>): Promise<R> {
  try {
    return await change();
  } catch (error) {
    if (!isDuplicateKey(error, AGENT_OF_READER)) throw error;
    throw conflict("READER_HAS_AGENT", "One of the readers belongs to another agent.", [
      { field: "reader_ids", message: "names a reader of another agent" },
    ]);
  }
}
