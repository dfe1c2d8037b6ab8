import { listPage, type Mongo, retryOnDuplicateKey } from "@asset-register/mongo";
import type { Actor } from "@asset-register/rpc";
import { type Change, newId } from "@asset-register/runtime";
import type { ClientSession } from "mongoose";
import type { Act, AuditEntry } from "../domain/audit.ts";

type AuditDocument = {
  _id: string;
  workspaceId: string;
  at: Date;
  actor: Actor;
  action: string;
  subject_id: string;
  changes: Change[];
  request_id: string;
  client_address?: string;
  /** Only of entries that belong to no workspace. */
  expires_at?: Date;
};

export type AuditFilter = {
  actorId?: string | undefined;
  action?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
};

export const AUDIT_LOG = "audit_log";

/** Takes the place of a workspace for attempts on accounts that do not exist. */
const NOBODY = "none";
const NOBODY_KEPT_MS = 30 * 86_400_000;

function toEntry(document: AuditDocument): AuditEntry {
  return {
    id: document._id,
    workspaceId: document.workspaceId,
    at: document.at,
    actor: document.actor,
    action: document.action,
    subjectId: document.subject_id,
    changes: document.changes,
    requestId: document.request_id,
    ...(document.client_address && { clientAddress: document.client_address }),
  };
}

function toDocument(workspaceId: string, act: Act, id = newId("aud")): AuditDocument {
  return {
    _id: id,
    workspaceId,
    at: act.at,
    actor: act.actor,
    action: act.action,
    subject_id: act.subjectId,
    changes: act.changes,
    request_id: act.requestId,
    ...(act.clientAddress && { client_address: act.clientAddress }),
  };
}

/** Append-only: what is not here, nobody can do to an entry. */
export function auditLog(mongo: Mongo) {
  const collection = mongo.collection<AuditDocument>(AUDIT_LOG);
  return {
    /** With the act's own transaction; without one only for what has no other effect. */
    async add(workspaceId: string, act: Act, session?: ClientSession): Promise<void> {
      await collection.insertOne(toDocument(workspaceId, act), { session });
    },

    /**
     * An attempt on an account that does not exist is written as well, so that
     * it takes as long as one on an account that does.
     */
    async addForNobody(act: Act): Promise<void> {
      const expires_at = new Date(act.at.getTime() + NOBODY_KEPT_MS);
      await collection.insertOne({ ...toDocument(NOBODY, act), workspaceId: NOBODY, expires_at });
    },

    /** Acts of other services, which have their ids already: an entry that is there stays as it is. */
    async addOnce(entries: readonly AuditEntry[]): Promise<void> {
      if (entries.length === 0) return;
      const writes = entries.map(({ id, workspaceId, ...act }) => {
        const { _id, workspaceId: _own, ...fields } = toDocument(workspaceId, act, id);
        return {
          updateOne: { filter: { _id, workspaceId }, update: { $setOnInsert: fields }, upsert: true },
        };
      });
      await retryOnDuplicateKey(() => collection.bulkWrite(writes, { ordered: false }));
    },

    async list(
      workspaceId: string,
      { actorId, action, from, to }: AuditFilter,
      page: { page: number; limit: number; cursor: string },
    ) {
      const at = { ...(from && { $gte: from }), ...(to && { $lt: to }) };
      const filter = {
        ...(actorId && { "actor.id": actorId }),
        ...(action && { action }),
        ...((from ?? to) && { at }),
      };
      const { items, ...rest } = await listPage(collection, { workspaceId, filter, ...page });
      return { items: items.map(toEntry), ...rest };
    },
  };
}

export type AuditLog = ReturnType<typeof auditLog>;
