import { tenantDocument, tenantReplacement } from "./document.ts";
import { isPlainRecord, type PlainRecord, requireSimpleCollation, tenantFilter } from "./filter.ts";
import type { Refuse } from "./tenant-guard-error.ts";
import { tenantUpdate } from "./update.ts";

type Check = (operation: PlainRecord, refuse: Refuse) => PlainRecord;

const update: Check = (operation, refuse) => {
  const { filter, workspaceId } = tenantFilter(operation.filter, refuse);
  return { ...operation, filter, update: tenantUpdate(operation.update, workspaceId, refuse) };
};

const remove: Check = (operation, refuse) => ({
  ...operation,
  filter: tenantFilter(operation.filter, refuse).filter,
});

const checks: Readonly<Record<string, Check>> = {
  insertOne: (operation, refuse) => ({ document: tenantDocument(operation.document, refuse) }),
  updateOne: update,
  updateMany: update,
  replaceOne: (operation, refuse) => {
    const { filter, workspaceId } = tenantFilter(operation.filter, refuse);
    const replacement = tenantReplacement(operation.replacement, workspaceId, refuse);
    return { ...operation, filter, replacement };
  },
  deleteOne: remove,
  deleteMany: remove,
};

/** Checks each operation of a bulk write by the rule of its kind. */
export function tenantBulk(operations: unknown, refuse: Refuse): PlainRecord[] {
  if (!Array.isArray(operations)) return refuse("needs a list of operations");
  return operations.map((operation: unknown, index) => {
    const entries = isPlainRecord(operation) ? Object.entries(operation) : [];
    const [entry] = entries;
    if (entry === undefined || entries.length > 1)
      return refuse(`operation ${index}: must be an object with exactly one operation`);
    const [name, value] = entry;
    const refuseHere: Refuse = (reason) => refuse(`operation ${index} (${name}): ${reason}`);
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) return refuseHere("is not a known operation");
    if (!isPlainRecord(value)) return refuseHere("needs an object");
    requireSimpleCollation(value, refuseHere);
    return { [name]: check(value, refuseHere) };
  });
}
