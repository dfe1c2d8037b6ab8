import { isPlainRecord, isWorkspaceId, type PlainRecord } from "./filter.ts";
import type { Refuse } from "./tenant-guard-error.ts";

type TenantRecord = PlainRecord & { workspaceId: string };

const hasWorkspace = (document: PlainRecord): document is TenantRecord => isWorkspaceId(document.workspaceId);

/** Checks that a document to insert has its workspace. Returns the same object, because the driver sets `_id` in it. */
export function tenantDocument(document: unknown, refuse: Refuse): TenantRecord {
  // The driver sends only own, enumerable properties.
  const sent = isPlainRecord(document) && Object.prototype.propertyIsEnumerable.call(document, "workspaceId");
  if (!sent || !hasWorkspace(document)) {
    return refuse("the document must have workspaceId as a plain, non-empty string");
  }
  return document;
}

/** Checks that a replacement has the workspace of the filter. */
export function tenantReplacement(replacement: unknown, workspaceId: string, refuse: Refuse): unknown {
  const checked = tenantDocument(replacement, refuse);
  if (checked.workspaceId !== workspaceId) {
    return refuse("the replacement has another workspaceId than the filter");
  }
  return checked;
}
