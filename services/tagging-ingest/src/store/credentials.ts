import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { unavailable } from "@asset-register/runtime";
import type { ReaderSecret } from "../domain/reader.ts";
import type { ReaderDocument } from "./readers.ts";
import type { WorkspaceDocument } from "./workspaces.ts";

/** What a signature is checked with. */
export type StoredCredential = {
  readerId: string;
  workspaceId: string;
  secrets: ReaderSecret[];
  version: number;
  /** Whether its workspace has the plan enterprise. */
  enterprise: boolean;
};

/**
 * An ingest call waits this long, even when most of its readers are cached. It must answer before the gateway's
 * deadline (5 s), also when it asks twice.
 */
const TIMEOUT_MS = 2_000;

export type CredentialStore = ReturnType<typeof createCredentialStore>;

/**
 * Secrets by the id of the reader alone: a reader does not name its workspace, its credential does. This is the hot
 * path of ingest, in native collections across workspaces.
 */
export function createCredentialStore(mongo: Mongo) {
  const readers = systemCollection<ReaderDocument>(mongo, "readers");
  const workspaces = systemCollection<WorkspaceDocument>(mongo, "workspaces");

  async function find(readerIds: readonly string[], signal: AbortSignal): Promise<StoredCredential[]> {
    const found = await readers
      .find(
        { _id: { $in: [...readerIds] } },
        { projection: { workspaceId: 1, status: 1, secrets: 1, secretVersion: 1 }, signal },
      )
      .toArray();
    const ids = [...new Set(found.map(({ workspaceId }) => workspaceId))];
    const plans = await workspaces
      .find({ _id: { $in: ids } }, { projection: { disabled: 1, enterprise: 1 }, signal })
      .toArray();
    const byId = new Map(plans.map((workspace) => [workspace._id, workspace]));
    return found.map(({ _id, workspaceId, status, secrets, secretVersion }) => {
      const workspace = byId.get(workspaceId);
      const usable = status === "active" && workspace?.disabled !== true;
      return {
        readerId: _id,
        workspaceId,
        secrets: usable ? secrets : [],
        version: secretVersion,
        enterprise: workspace?.enterprise === true,
      };
    });
  }

  return {
    /**
     * The readers of these ids that exist. Revoked readers, and those of disabled workspaces, have no secrets.
     * @throws AppError UNAVAILABLE when the database does not answer in time
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
