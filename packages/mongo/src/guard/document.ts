import { isPlainRecord, isWorkspaceId } from "./filter.ts";
import type { Refuse } from "./tenant-guard-error.ts";

/** Checks that a document to insert has its workspace. Returns the same object, because the driver sets `_id` in it. */
export function tenantDocument(document: unknown, refuse: Refuse): unknown {
  // The driver sends only own, enumerable properties.
  const sent = isPlainRecord(document) && Object.prototype.propertyIsEnumerable.call(document, "workspaceId");
  if (!sent || !isWorkspaceId(document.workspaceId)) {
    return refuse("the document must have workspaceId as a plain, non-empty string");
  }
  return document;
}

/** Checks that a replacement has the workspace of the filter. */
export function tenantReplacement(replacement: unknown, workspaceId: string, refuse: Refuse): unknown {
  tenantDocument(replacement, refuse);
  if (isPlainRecord(replacement) && replacement.workspaceId !== workspaceId) {
    return refuse("the replacement has another workspaceId than the filter");
  }
  return replacement;
}
