import { isPlainRecord, type PlainRecord } from "./filter.ts";
import type { Refuse } from "./tenant-guard-error.ts";

const field = "workspaceId";
const isWorkspacePath = (path: string): boolean => path === field || path.startsWith(`${field}.`);

/**
 * Checks that an update does not move a document to another workspace. It may set the value of the filter,
 * as upserts and objects that are spread into `$set` do.
 */
export function tenantUpdate(update: unknown, workspaceId: string, refuse: Refuse): unknown {
  if (Array.isArray(update)) return pipelineUpdate(update, workspaceId, refuse);
  if (!isPlainRecord(update)) return refuse("needs an update object or pipeline");
  const copy = { ...update };
  for (const [operator, change] of Object.entries(copy)) {
    if (!operator.startsWith("$")) return refuse("needs update operators; use replaceOne to replace");
    copy[operator] = operatorChange(operator, change, workspaceId, refuse);
  }
  return copy;
}

function operatorChange(operator: string, value: unknown, workspaceId: string, refuse: Refuse): PlainRecord {
  if (!isPlainRecord(value)) return refuse(`${operator} needs an object`);
  const change = { ...value };
  const sets = operator === "$set" || operator === "$setOnInsert";
  for (const [path, target] of Object.entries(change)) {
    if (isWorkspacePath(path) && !(sets && path === field && target === workspaceId)) {
      return refuse(`${operator} must not change ${field}`);
    }
    if (operator === "$rename" && (typeof target !== "string" || isWorkspacePath(target))) {
      return refuse(`$rename must not write ${field}`);
    }
  }
  return change;
}

/**
 * Checks an update pipeline. The result of a stage that rebuilds the document is unknown. Such a stage is
 * accepted if a later stage sets the workspace of the filter.
 */
function pipelineUpdate(stages: readonly unknown[], workspaceId: string, refuse: Refuse): unknown[] {
  let rebuilt = false;
  const copies = stages.map((stage) => {
    if (!isPlainRecord(stage)) return refuse("needs update stages that are plain objects");
    const [entry, ...more] = Object.entries(stage);
    if (entry === undefined || more.length > 0) return refuse("needs exactly one operator in each stage");
    const [name, change] = entry;
    if (name === "$set" || name === "$addFields") {
      const copy = operatorChange("$set", change, workspaceId, refuse);
      if (Object.hasOwn(copy, field)) rebuilt = false;
      return { [name]: copy };
    }
    if (name === "$unset") return { $unset: unsetPaths(change, refuse) };
    if (name === "$replaceRoot" || name === "$replaceWith" || name === "$project") {
      rebuilt = true;
      return { [name]: change };
    }
    return refuse(`${name} is not an update stage`);
  });
  if (rebuilt) {
    return refuse(`after $replaceRoot, $replaceWith or $project a stage must $set ${field} again`);
  }
  return copies;
}

function unsetPaths(value: unknown, refuse: Refuse): string[] {
  const paths: unknown[] = Array.isArray(value) ? value : [value];
  return paths.map((path) => {
    if (typeof path !== "string" || isWorkspacePath(path)) return refuse(`$unset must not remove ${field}`);
    return path;
  });
}
