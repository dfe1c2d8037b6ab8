import type { Mongo } from "@asset-register/mongo";
import type { ClientSession } from "mongoose";
import type { Plan, Workspace, WorkspaceStatus } from "../domain/workspace.ts";

export type WorkspaceDocument = {
  _id: string;
  /** Its own id, as every document's. */
  workspaceId: string;
  name: string;
  status: WorkspaceStatus;
  plan: Plan;
  time_zone: string;
  currency: string;
  number_prefix: string;
  fiscal_year_start: number;
  rev: number;
  created_at: Date;
  updated_at: Date;
  /** Counts removals of admins, so that of two at once one waits for the other. */
  admins_rev?: number;
};

export const WORKSPACES = "workspaces";

export function toWorkspace(document: WorkspaceDocument): Workspace {
  return {
    id: document._id,
    name: document.name,
    status: document.status,
    plan: document.plan,
    timeZone: document.time_zone,
    currency: document.currency,
    numberPrefix: document.number_prefix,
    fiscalYearStart: document.fiscal_year_start,
    rev: document.rev,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

function toDocument(workspace: Workspace): WorkspaceDocument {
  return {
    _id: workspace.id,
    workspaceId: workspace.id,
    name: workspace.name,
    status: workspace.status,
    plan: workspace.plan,
    time_zone: workspace.timeZone,
    currency: workspace.currency,
    number_prefix: workspace.numberPrefix,
    fiscal_year_start: workspace.fiscalYearStart,
    rev: workspace.rev,
    created_at: workspace.createdAt,
    updated_at: workspace.updatedAt,
  };
}

export function workspaceStore(mongo: Mongo) {
  const collection = mongo.collection<WorkspaceDocument>(WORKSPACES);
  return {
    async find(workspaceId: string, session?: ClientSession): Promise<Workspace | undefined> {
      const found = await collection.findOne({ workspaceId, _id: workspaceId }, { session });
      return found === null ? undefined : toWorkspace(found);
    },

    async insert(workspaceId: string, workspace: Workspace, session: ClientSession): Promise<void> {
      await collection.insertOne({ ...toDocument(workspace), workspaceId }, { session });
    },

    /** Saves unless somebody else changed it since it was at `rev`. */
    async replace(
      workspaceId: string,
      workspace: Workspace,
      rev: number,
      session: ClientSession,
    ): Promise<boolean> {
      const { _id, workspaceId: _own, ...fields } = toDocument(workspace);
      const { matchedCount } = await collection.updateOne(
        { workspaceId, _id: workspaceId, rev },
        { $set: fields },
        { session },
      );
      return matchedCount === 1;
    },

    /**
     * Two transactions that each take away an admin write different users, and
     * snapshots would let both pass: so both write this row.
     */
    async adminGoes(workspaceId: string, session: ClientSession): Promise<void> {
      const row = { workspaceId, _id: workspaceId };
      await collection.updateOne(row, { $inc: { admins_rev: 1 } }, { session });
    },
  };
}

export type WorkspaceStore = ReturnType<typeof workspaceStore>;
