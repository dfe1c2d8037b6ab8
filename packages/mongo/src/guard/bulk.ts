import { tenantDocument, tenantReplacement } from "./document.ts";
import { isPlainRecord, type PlainRecord, requireSimpleCollation, tenantFilter } from "./filter.ts";
import type { Refuse } from "./tenant-guard-error.ts";
import { tenantUpdate } from "./update.ts";

type Checked = { operation: PlainRecord; workspaceId: string };

type Check = (operation: PlainRecord, refuse: Refuse) => Checked;

const update: Check = (operation, refuse) => {
  const { filter, workspaceId } = tenantFilter(operation.filter, refuse);
  const change = tenantUpdate(operation.update, workspaceId, refuse);
  return { operation: { ...operation, filter, update: change }, workspaceId };
};

const remove: Check = (operation, refuse) => {
  const { filter, workspaceId } = tenantFilter(operation.filter, refuse);
  return { operation: { ...operation, filter }, workspaceId };
};

const checks: Readonly<Record<string, Check>> = {
  insertOne: (operation, refuse) => {
    const document = tenantDocument(operation.document, refuse);
    return { operation: { document }, workspaceId: document.workspaceId };
  },
  updateOne: update,
  updateMany: update,
  replaceOne: (operation, refuse) => {
    const { filter, workspaceId } = tenantFilter(operation.filter, refuse);
    const replacement = tenantReplacement(operation.replacement, workspaceId, refuse);
    return { operation: { ...operation, filter, replacement }, workspaceId };
  },
  deleteOne: remove,
  deleteMany: remove,
};

/** Checks each operation of a bulk write by the rule of its kind. */
export function tenantBulk(
  operations: unknown,
  refuse: Refuse,
): { checked: PlainRecord[]; workspaceIds: string[] } {
  if (!Array.isArray(operations)) return refuse("needs a list of operations");
  const workspaceIds: string[] = [];
  const checked = operations.map((operation: unknown, index) => {
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
    const { operation: part, workspaceId } = check(value, refuseHere);
    workspaceIds.push(workspaceId);
    return { [name]: part };
  });
  return { checked, workspaceIds };
}
