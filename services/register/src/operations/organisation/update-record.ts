import { type ClientSession, keepAnswer } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { type Change, changesBetween, invalid, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { compactDepreciation, depreciationViolations } from "../../domain/finance/category-depreciation.ts";
import {
  type OrganisationKind,
  type OrganisationRecord,
  parentFields,
  type RecordChanges,
} from "../../domain/organisation/organisation.ts";
import { auditEntry, recordUpdated } from "../../published.ts";
import { assertUser, auditedFields, stripDepreciation, type WrittenRecord } from "./create-record.ts";
import { findReferences } from "./find-references.ts";
import { moveRecord } from "./move-record.ts";

export type UpdateRecord = {
  kind: OrganisationKind;
  id: string;
  changes: RecordChanges;
  /** Whether `depreciation` changes only the fields that it has. */
  mergeDepreciation: boolean;
  ifRevIn: readonly number[];
};

/**
 * Changes a record. A new parent of a place moves everything below it: the records in this call, the assets after it.
 * A change that changes nothing is not stored.
 */
export async function updateRecord(
  context: Context,
  input: UpdateRecord,
  call: Call,
): Promise<WrittenRecord> {
  const { mongo, stores } = context;
  const { workspaceId } = call;
  const { changes, strippedFields } = permitted(input.changes, call);
  await assertUser(context, changes.userId, call);
  const { record, moved } = await mongo.transaction(call, async (session) => {
    const found = await stores.organisation.get(workspaceId, input.kind, input.id, session);
    const before = requireFound(found, input.kind);
    requireRev(before.rev, input.ifRevIn);
    const saved = await save(context, { ...input, before, changes }, call, session);
    return { ...saved, strippedFields };
  });
  if (!moved) return { record, strippedFields };
  await context.placing.finishQuickly({ _id: record.id, workspaceId });
  const [placed = record] = await stores.organisation.getAll(workspaceId, [record.id]);
  const answer = { record: placed, strippedFields };
  await keepAnswer(mongo, call, answer);
  return answer;
}

function permitted(changes: RecordChanges, call: Call): { changes: RecordChanges; strippedFields: string[] } {
  if (!("depreciation" in changes)) return { changes, strippedFields: [] };
  // A cleared depreciation is a change of it too.
  const { strippedFields } = stripDepreciation({ depreciation: changes.depreciation ?? {} }, call);
  if (strippedFields.length === 0) return { changes, strippedFields };
  const { depreciation: _depreciation, ...others } = changes;
  return { changes: others, strippedFields };
}

type Update = Pick<UpdateRecord, "changes" | "mergeDepreciation"> & { before: OrganisationRecord };

async function save(
  context: Context,
  update: Update,
  call: Call,
  session: ClientSession,
): Promise<{ record: OrganisationRecord; moved: boolean }> {
  const { stores, outbox } = context;
  const { before } = update;
  const { workspaceId, kind } = before;
  const at = context.now();
  const changed = { ...before, ...withDepreciation(update), rev: before.rev + 1, updatedAt: at };
  await assertReferences(context, update, session);
  const move = hasNewParent(before, changed)
    ? await moveRecord(context, { before, changed, named: update.changes }, session)
    : { record: changed, below: [], moved: false };
  const { record, below, moved } = move;
  const changes = changesOf(before, record);
  if (changes.length === 0) return { record: before, moved: false };
  await stores.organisation.save(workspaceId, record, before.rev, session);
  if (moved) await stores.organisation.startPlacing(workspaceId, record.id, movedBy(call), session);
  await outbox.add(session, ...[record, ...below].map(recordUpdated));
  await outbox.add(session, auditEntry(call, at, `${kind}.updated`, record.id, changes));
  return { record, moved };
}

const movedBy = ({ actor, requestId }: Call) => ({ actor, requestId });

function hasNewParent(before: OrganisationRecord, changed: OrganisationRecord): boolean {
  return parentFields.some((field) => before[field] !== changed[field]);
}

function withDepreciation({ before, changes, mergeDepreciation }: Update): RecordChanges {
  if (!("depreciation" in changes)) return changes;
  const merged = { ...(mergeDepreciation && before.depreciation), ...changes.depreciation };
  const violations = depreciationViolations(merged);
  if (violations.length > 0) throw invalid(violations);
  return { ...changes, depreciation: compactDepreciation(merged) };
}

/** Only what the change names: a record that was deleted later does not hinder other changes. */
async function assertReferences(
  context: Context,
  { before, changes }: Update,
  session: ClientSession,
): Promise<void> {
  const { departmentId } = changes;
  if (departmentId === before.departmentId) return;
  const references = { department_id: { id: departmentId, kind: "department" } } as const;
  await findReferences(context, before.workspaceId, references, session);
}

function changesOf(before: OrganisationRecord, after: OrganisationRecord): Change[] {
  return changesBetween(comparable(before), comparable(after));
}

function comparable(record: OrganisationRecord) {
  const { id: _id, workspaceId: _workspace, rev: _rev, createdAt: _created, ...rest } = record;
  const {
    updatedAt: _updated,
    status: _status,
    progress: _progress,
    deletingUntil: _until,
    ...fields
  } = rest;
  return auditedFields(fields);
}
