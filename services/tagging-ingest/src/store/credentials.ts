import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { unavailable } from "@asset-register/runtime";
import type { ReaderSecret } from "../domain/reader.ts";
import { type ReaderDocument, toSecrets } from "./readers.ts";
import type { WorkspaceDocument } from "./workspaces.ts";

/** What a signature is checked against. */
export type StoredCredential = {
  readerId: string;
  workspaceId: string;
  secrets: ReaderSecret[];
  version: number;
};

/**
 * An ingest call waits for these, also where most of its readers need none:
 * it must answer before the gateway's deadline (5 s), also if it asks twice.
 */
const TIMEOUT_MS = 2_000;

export type CredentialStore = ReturnType<typeof createCredentialStore>;

/**
 * Secrets by reader id alone: a reader names no workspace when it posts, its
 * credential does. Crosses workspaces, as looking up credentials must.
 */
export function createCredentialStore(mongo: Mongo) {
  const readers = systemCollection<ReaderDocument>(mongo, "readers");
  const workspaces = systemCollection<WorkspaceDocument>(mongo, "workspaces");

  async function find(readerIds: readonly string[], signal: AbortSignal): Promise<StoredCredential[]> {
    const found = await readers
      .find(
        { _id: { $in: [...readerIds] } },
        { projection: { workspaceId: 1, status: 1, secrets: 1, secret_version: 1 }, signal },
      )
      .toArray();
    const ids = [...new Set(found.map(({ workspaceId }) => workspaceId))];
    const disabled = await workspaces
      .find({ _id: { $in: ids }, disabled: true }, { projection: { _id: 1 }, signal })
      .toArray();
    const stopped = new Set(disabled.map(({ _id }) => _id));
    return found.map((document) => {
      const usable = document.status === "active" && !stopped.has(document.workspaceId);
      return {
        readerId: document._id,
        workspaceId: document.workspaceId,
        secrets: usable ? toSecrets(document) : [],
        version: document.secret_version,
      };
    });
  }

  return {
    /**
     * Readers of these ids that exist; those of disabled workspaces without secrets, as the revoked ones.
     * Throws unavailable when that can't be said in time.
     */
    async load(readerIds: readonly string[]): Promise<StoredCredential[]> {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      try {
        return await find(readerIds, signal);
      } catch (error) {
        throw signal.aborted ? unavailable("The database is too slow.", undefined, error) : error;
      }
    },
  };
}
