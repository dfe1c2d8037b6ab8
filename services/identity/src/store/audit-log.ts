import {
  type ClientSession,
  defineRecords,
  embedded,
  embeddedActor,
  type Mongo,
  retryOnDuplicateKey,
  timeBetween,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { AuditEntry, AuditFilter } from "../domain/audit-entry.ts";

/** Only entries that belong to no workspace expire. */
type AuditKeys = { expiresAt?: Date | undefined };

export const auditRecords = defineRecords<AuditEntry, AuditKeys>({
  collection: "audit_log",
  name: "audit entry",
  fields: {
    at: Date,
    actor: embeddedActor(),
    action: String,
    subjectId: String,
    changes: [embedded({ field: String, before: String, after: String })],
    requestId: String,
    clientAddress: String,
    clientRequestId: String,
  },
  beside: { expiresAt: Date },
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "time", key: { workspaceId: 1, at: 1 } },
    { name: "actor", key: { workspaceId: 1, "actor.id": 1, _id: 1 } },
    { name: "action", key: { workspaceId: 1, action: 1, _id: 1 } },
  ],
});

/** The workspace of entries about accounts that do not exist. */
export const NO_WORKSPACE = "none";
const NO_WORKSPACE_KEPT_MS = 30 * 86_400_000;

/** The audit log: append-only. */
export function createAuditLogStore(mongo: Mongo) {
  const { collection, insert, insertMany, list } = auditRecords.store(mongo);
  return {
    /** Takes the transaction of the audited change. Only entries about failures have none. */
    append: (workspaceId: string, entries: AuditEntry[], session?: ClientSession): Promise<void> =>
      insertMany(workspaceId, entries, session),

    /** A failed sign-in of an account that does not exist. It takes as long as one of an existing account. */
    appendForNobody: (entry: AuditEntry): Promise<void> =>
      insert(NO_WORKSPACE, entry, undefined, {
        expiresAt: new Date(entry.at.getTime() + NO_WORKSPACE_KEPT_MS),
      }),

    /** Entries of other services. An entry that is stored already stays as it is. */
    async appendOnce(entries: readonly AuditEntry[]): Promise<void> {
      if (entries.length === 0) return;
      const writes = entries.map(({ id, workspaceId, ...fields }) => ({
        updateOne: { filter: { _id: id, workspaceId }, update: { $setOnInsert: fields }, upsert: true },
      }));
      await retryOnDuplicateKey(() =>
        collection.bulkWrite(writes, { ordered: false, ignoreUndefined: true }),
      );
    },

    list(
      workspaceId: string,
      { actorId, action, from, to }: AuditFilter,
      page: PageQuery,
    ): Promise<Page<AuditEntry>> {
      const filter = { "actor.id": actorId, action, at: timeBetween(from, to) };
      return list(workspaceId, page, { filter });
    },
  };
}
