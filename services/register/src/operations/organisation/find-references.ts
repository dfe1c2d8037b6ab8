import type { ClientSession } from "@asset-register/mongo";
import { conflict, unknownReferences } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { OrganisationKind, OrganisationRecord } from "../../domain/organisation/organisation.ts";
import type { Place } from "../../domain/organisation/place.ts";

/** A reference to a record; without an id it refers to nothing. */
export type Reference = { id: string | undefined; kind: OrganisationKind };

/** The places that a record of the organisation refers to. */
export const parentReferences = (kind: OrganisationKind, fields: Place & { parentId?: string | undefined }) =>
  ({
    property_id: { id: fields.propertyId, kind: "property" },
    building_id: { id: fields.buildingId, kind: "building" },
    floor_id: { id: fields.floorId, kind: "floor" },
    parent_id: { id: fields.parentId, kind },
  }) as const satisfies Record<string, Reference>;

/**
 * The records that a write refers to, by the fields' names in HTTP, in one query. Read them in the transaction of the
 * write: then a move of one of them is either seen, or its second pass corrects the write.
 *
 * @throws AppError NOT_FOUND that names each field whose record does not exist in the workspace; CONFLICT if one is
 *   being deleted
 */
export async function findReferences<F extends string>(
  { stores, now }: Context,
  workspaceId: string,
  references: Record<F, Reference>,
  session?: ClientSession,
): Promise<Partial<Record<F, OrganisationRecord>>> {
  const ids: string[] = [];
  for (const field in references) ids.push(...(references[field].id ? [references[field].id] : []));
  const records = await stores.organisation.getMany(workspaceId, ids, session);
  return pickReferences(records, references, now());
}

/**
 * Of records that were read for several writes, those that one write refers to. Without a session the answer may be
 * old.
 *
 * @throws AppError as findReferences
 */
export function pickReferences<F extends string>(
  records: ReadonlyMap<string, OrganisationRecord>,
  references: Record<F, Reference>,
  now: Date,
): Partial<Record<F, OrganisationRecord>> {
  const fields: F[] = [];
  for (const field in references) if (references[field].id !== undefined) fields.push(field);
  const found: Partial<Record<F, OrganisationRecord>> = {};
  const missing: F[] = [];
  for (const field of fields) {
    const { id = "", kind } = references[field];
    const record = records.get(id);
    if (record?.kind === kind) found[field] = record;
    else missing.push(field);
  }
  if (missing.length > 0) throw unknownReferences(missing);
  for (const field of fields) {
    const { deletingUntil } = found[field] ?? {};
    if (deletingUntil && deletingUntil > now)
      throw conflict("CONFLICT", `The record in ${field} is being deleted. Read it again and retry.`, [
        { field, message: "is being deleted" },
      ]);
  }
  return found;
}
