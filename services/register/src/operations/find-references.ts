import { unknownReferences } from "@asset-register/runtime";
import type { OrganisationKind, OrganisationRecord } from "../domain/organisation.ts";
import type { OrganisationStore } from "../store/organisation.ts";

/** A reference by the name of its field in the caller's words; an absent id refers to nothing. */
export type Reference = { id: string | undefined; kind: OrganisationKind };

/**
 * The records that a write refers to, by field, in one query.
 * NOT_FOUND naming each field whose record does not exist in the workspace.
 */
export async function findReferences<F extends string>(
  organisation: OrganisationStore,
  workspaceId: string,
  references: Record<F, Reference>,
): Promise<Partial<Record<F, OrganisationRecord>>> {
  const fields: F[] = [];
  for (const field in references) if (references[field].id !== undefined) fields.push(field);
  const ids = fields.flatMap((field) => references[field].id ?? []);
  const records = await organisation.getMany(workspaceId, ids);
  const found: Partial<Record<F, OrganisationRecord>> = {};
  const missing: F[] = [];
  for (const field of fields) {
    const { id = "", kind } = references[field];
    const record = records.get(id);
    if (record?.kind === kind) found[field] = record;
    else missing.push(field);
  }
  if (missing.length > 0) throw unknownReferences(missing);
  return found;
}
