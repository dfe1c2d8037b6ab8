import { type Incoming, projectState, type Subscription, subscribe } from "@asset-register/events";
import { defineRecords, type Mongo } from "@asset-register/mongo";
import type { WorkspaceEventSchema } from "@asset-register/proto/assetregister/events/v1/workspace_pb";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { topics } from "@asset-register/proto/topics";
import { forbidden, unavailable } from "@asset-register/runtime";

/** What a service knows of a workspace: a projection of `workspace` events. */
export type WorkspaceProjection = {
  id: string;
  /** The same as the id. */
  workspaceId: string;
  active: boolean;
  timeZone: string;
  currency: string;
  numberPrefix: string;
  /** The month in which fiscal years begin, 1 to 12. */
  fiscalYearStart: number;
};

const workspaceRecords = defineRecords<WorkspaceProjection>({
  collection: "workspaces",
  name: "workspace",
  fields: {
    active: Boolean,
    timeZone: String,
    currency: String,
    numberPrefix: String,
    fiscalYearStart: Number,
  },
  indexes: [],
});

/** A workspace's state and the sequence of the event that carried it. */
export type WorkspaceState = { epoch: number; sequence: number; workspace: WorkspaceProjection };

/** A projection takes the state, whatever the change was. */
export function decodeWorkspace(event: Incoming<typeof WorkspaceEventSchema>): WorkspaceState[] {
  const state = event.message?.state;
  if (!state) return [];
  const { epoch, sequence, workspaceId } = event;
  const { timeZone, currency, numberPrefix, fiscalYearStart } = state;
  const active = state.status !== WorkspaceStatus.DISABLED;
  const settings = { timeZone, currency, numberPrefix, fiscalYearStart };
  const workspace = { id: workspaceId, workspaceId, active, ...settings };
  return [{ epoch, sequence, workspace }];
}

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;

export function createWorkspaceStore(mongo: Mongo) {
  const { collection, get } = workspaceRecords.store(mongo);
  return {
    get: (workspaceId: string): Promise<WorkspaceProjection | undefined> => get(workspaceId, workspaceId),

    /** Stores the states that are newer than what is stored. */
    async project(states: readonly WorkspaceState[]): Promise<void> {
      await projectState(
        collection,
        states.map(({ epoch, sequence, workspace: { id, workspaceId, ...set } }) => ({
          ...{ workspaceId, _id: id, epoch, sequence, set },
        })),
      );
    },
  };
}

type Stores = { stores: { workspaces: WorkspaceStore } };

/** Projects the workspaces. */
export const workspaceSubscription = ({ stores }: Stores): Subscription =>
  subscribe(topics.workspace, {
    handle: (events) => stores.workspaces.project(events.flatMap(decodeWorkspace)),
  });

/**
 * The workspace of a call.
 * @throws AppError UNAVAILABLE before its first event has arrived, FORBIDDEN when it is disabled
 */
export async function requireWorkspace(
  { stores }: Stores,
  workspaceId: string,
): Promise<WorkspaceProjection> {
  const workspace = await stores.workspaces.get(workspaceId);
  if (!workspace) throw unavailable("The workspace is being set up.");
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
