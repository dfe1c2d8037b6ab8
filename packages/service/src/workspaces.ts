import { defineProjection, type ProjectedState } from "@asset-register/events";
import { defineRecords, type Mongo } from "@asset-register/mongo";
import { Plan, WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { topics } from "@asset-register/proto/topics";
import { createSharedReads, forbidden, unavailable } from "@asset-register/runtime";

/** The copy of a workspace that each service keeps. A service uses the fields that it needs. */
export type WorkspaceProjection = {
  id: string;
  /** The same as the id. */
  workspaceId: string;
  /** Absent in a copy that an earlier release has made, until the next event. */
  name?: string | undefined;
  active: boolean;
  /** Whether it has the plan enterprise. */
  enterprise: boolean;
  timeZone: string;
  currency: string;
  numberPrefix: string;
  /** The month in which fiscal years begin, 1 to 12. */
  fiscalYearStart: number;
};

/**
 * Services of earlier releases stored either `active` or `disabled`, and read only that. Both are written, so that such
 * a release can run again.
 */
type WorkspaceRow = Omit<WorkspaceProjection, "active"> & { active?: boolean; disabled?: boolean };

const statusOf = (active: boolean) => ({ active, disabled: !active });

/** The projection of `workspace` events in every service but identity, which owns the workspaces. */
export const workspaceProjection = defineProjection({
  topic: topics.workspace,
  records: defineRecords<WorkspaceRow>({
    collection: "workspaces",
    name: "workspace",
    fields: {
      name: String,
      active: Boolean,
      disabled: Boolean,
      enterprise: Boolean,
      timeZone: String,
      currency: String,
      numberPrefix: String,
      fiscalYearStart: Number,
    },
    indexes: [],
  }),
  decode: ({ name, status, plan, timeZone, currency, numberPrefix, fiscalYearStart }) => ({
    name,
    ...statusOf(status !== WorkspaceStatus.DISABLED),
    enterprise: plan === Plan.ENTERPRISE,
    ...{ timeZone, currency, numberPrefix, fiscalYearStart },
  }),
  // A workspace that was removed keeps a row, because without one it would count as active.
  tombstone: statusOf(false),
});

/** A workspace's state, as an event has it. */
export type WorkspaceState = ProjectedState<WorkspaceRow>;

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;

export function createWorkspaceStore(mongo: Mongo) {
  const { get, project } = workspaceProjection.store(mongo);
  return {
    project,

    /** Undefined before its first event has arrived. Nearly each call asks for the workspace. */
    get: createSharedReads(async (workspaceId): Promise<WorkspaceProjection | undefined> => {
      const row = await get(workspaceId, workspaceId);
      if (row === undefined) return undefined;
      const { disabled = false, active = !disabled, ...fields } = row;
      return { ...fields, active };
    }),
  };
}

type Stores = { stores: { workspaces: WorkspaceStore } };

/**
 * The workspace of a call.
 * @throws AppError UNAVAILABLE before its first event has arrived, FORBIDDEN when it is disabled
 */
export async function requireWorkspace(
  { stores }: Stores,
  workspaceId: string,
): Promise<WorkspaceProjection> {
  const workspace = await stores.workspaces.get(workspaceId);
  if (!workspace) throw unavailable("The workspace is being set up. Retry later.");
  if (!workspace.active) throw forbidden("The workspace is disabled.");
  return workspace;
}

/**
 * The same for work without a caller, which waits until the workspace is there and enabled.
 * @throws AppError UNAVAILABLE
 */
export async function requireActive({ stores }: Stores, workspaceId: string): Promise<WorkspaceProjection> {
  const workspace = await stores.workspaces.get(workspaceId);
  if (!workspace?.active) throw unavailable("The workspace is disabled.");
  return workspace;
}
