import { isPlainRecord, isWorkspaceId } from "./filter.ts";
import type { Refuse } from "./tenant-guard-error.ts";

/** A document to insert must carry its workspace. Answers the document itself: the driver sets `_id` in it. */
export function tenantDocument(document: unknown, refuse: Refuse): unknown {
  // Only what is its own and enumerable is sent.
  const sent = isPlainRecord(document) && Object.prototype.propertyIsEnumerable.call(document, "workspaceId");
  if (!sent || !isWorkspaceId(document.workspaceId)) {
    return refuse("the document must carry workspaceId as a plain, non-empty string");
  }
  return document;
}

/** A replacement must stay in the workspace of the filter that chose the document. */
export function tenantReplacement(replacement: unknown, workspaceId: string, refuse: Refuse): unknown {
  tenantDocument(replacement, refuse);
  if (isPlainRecord(replacement) && replacement.workspaceId !== workspaceId) {
    return refuse("the replacement has another workspaceId than the filter");
  }
  return replacement;
}
