import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { createRecent, unavailable } from "@asset-register/runtime";
import { workspaceProjection } from "@asset-register/service";
import type { ReaderSecret } from "../../domain/readers/reader.ts";
import type { ReaderDocument } from "../readers/readers.ts";

/** The stored data with which a signature is checked. */
export type StoredCredential = {
  readerId: string;
  workspaceId: string;
  secrets: ReaderSecret[];
  version: number;
  /** Whether its workspace has the plan enterprise. */
  enterprise: boolean;
  /** How far its clock is known to be slow; see slow-clock.ts. */
  slowMs: number;
};

/**
 * An ingest call waits this long, even when most of its readers are cached. It must answer before the gateway's
 * deadline (5 s), also when it asks twice.
 */
const TIMEOUT_MS = 2_000;

/** The plans of workspaces are read once for many readers. */
const WORKSPACE_LIFE_MS = 1_000;
const MAX_WORKSPACES = 10_000;

/** `enterprise` is absent in rows that were projected before it was. */
type WorkspaceDocument = { _id: string; disabled: boolean; enterprise?: boolean };

type Plan = { loadedAt: number; disabled: boolean; enterprise: boolean };

export type CredentialStore = ReturnType<typeof createCredentialStore>;

/**
 * Secrets by the id of the reader alone: a reader does not name its workspace, its credential does. This is the hot
 * path of ingest, in native collections across workspaces.
 */
export function createCredentialStore(mongo: Mongo) {
  const readers = systemCollection<ReaderDocument>(mongo, "readers");
  const workspaces = systemCollection<WorkspaceDocument>(mongo, workspaceProjection.collection);

  const plans = createRecent<Plan>(MAX_WORKSPACES);

  async function plansOf(
    workspaceIds: ReadonlySet<string>,
    maxAgeMs: number,
    signal: AbortSignal,
  ): Promise<Map<string, Plan>> {
    const loadedAt = performance.now();
    const found = new Map<string, Plan>();
    for (const id of workspaceIds) {
      const plan = plans.get(id);
      if (plan && loadedAt - plan.loadedAt < maxAgeMs) found.set(id, plan);
    }
    const missing = [...workspaceIds].filter((id) => !found.has(id));
    if (missing.length === 0) return found;
    const rows = await workspaces
      .find({ _id: { $in: missing } }, { projection: { disabled: 1, enterprise: 1 }, signal })
      .toArray();
    for (const { _id, disabled, enterprise } of rows) {
      const plan = { loadedAt, disabled: disabled === true, enterprise: enterprise === true };
      plans.set(_id, plan);
      found.set(_id, plan);
    }
    return found;
  }

  async function find(
    readerIds: readonly string[],
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<StoredCredential[]> {
    const found = await readers
      .find(
        { _id: { $in: [...readerIds] } },
        { projection: { workspaceId: 1, status: 1, secrets: 1, secretVersion: 1, slowClock: 1 }, signal },
      )
      .toArray();
    const ids = new Set(found.map(({ workspaceId }) => workspaceId));
    const byId = await plansOf(ids, fresh ? 0 : WORKSPACE_LIFE_MS, signal);
    return found.map(({ _id, workspaceId, status, secrets, secretVersion, slowClock }) => {
      const plan = byId.get(workspaceId);
      const usable = status === "active" && plan?.disabled !== true;
      return {
        readerId: _id,
        workspaceId,
        secrets: usable ? secrets : [],
        version: secretVersion,
        enterprise: plan?.enterprise === true,
        slowMs: slowClock?.slowMs ?? 0,
      };
    });
  }

  return {
    /**
     * The readers of these ids that exist. Revoked readers, and those of disabled workspaces, have no secrets. Unless
     * `fresh`, the plans of workspaces may be a second old.
     * @throws AppError UNAVAILABLE when the database does not answer in time
     */
    async load(readerIds: readonly string[], fresh: boolean): Promise<StoredCredential[]> {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      try {
        return await find(readerIds, fresh, signal);
      } catch (error) {
        throw signal.aborted ? unavailable("The database is too slow.", undefined, error) : error;
      }
    },
  };
}
