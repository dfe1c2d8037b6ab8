import { tenantBulk } from "./bulk.ts";
import { tenantDocument, tenantReplacement } from "./document.ts";
import { requireSimpleCollation, tenantFilter } from "./filter.ts";
import { tenantPipeline } from "./pipeline.ts";
import type { Refuse } from "./tenant-guard-error.ts";
import { tenantUpdate } from "./update.ts";

/** The result of a method: a promise, or a cursor, which reads later and may need the guard. */
type Result = "promise" | "find" | "aggregate";

type Checked = { args: unknown[]; workspaceIds: readonly string[] };

/** How the guard checks the calls of one method of a collection. */
export type MethodRule = {
  result: Result;
  /** Index of the options in the arguments. */
  options: number;
  /** Whether it may read many records. The workspaces take turns with such reads. */
  readsMany?: true | undefined;
  check(args: readonly unknown[], refuse: Refuse): Checked;
};

const byFilter = (result: Result, readsMany?: true): MethodRule => ({
  result,
  readsMany,
  options: 1,
  check: ([filter, options], refuse) => {
    const checked = tenantFilter(filter, refuse);
    return { args: [checked.filter, options], workspaceIds: [checked.workspaceId] };
  },
});

const update: MethodRule = {
  result: "promise",
  options: 2,
  check: ([filter, change, options], refuse) => {
    const { filter: checked, workspaceId } = tenantFilter(filter, refuse);
    return {
      args: [checked, tenantUpdate(change, workspaceId, refuse), options],
      workspaceIds: [workspaceId],
    };
  },
};

const replace: MethodRule = {
  result: "promise",
  options: 2,
  check: ([filter, replacement, options], refuse) => {
    const { filter: checked, workspaceId } = tenantFilter(filter, refuse);
    return {
      args: [checked, tenantReplacement(replacement, workspaceId, refuse), options],
      workspaceIds: [workspaceId],
    };
  },
};

const rules = {
  find: byFilter("find", true),
  findOne: byFilter("promise"),
  findOneAndDelete: byFilter("promise"),
  findOneAndUpdate: update,
  findOneAndReplace: replace,
  updateOne: update,
  updateMany: update,
  replaceOne: replace,
  deleteOne: byFilter("promise"),
  deleteMany: byFilter("promise"),
  countDocuments: byFilter("promise", true),
  distinct: {
    result: "promise",
    readsMany: true,
    options: 2,
    check: ([key, filter, options], refuse) => {
      const { filter: checked, workspaceId } = tenantFilter(filter, refuse);
      return { args: [key, checked, options], workspaceIds: [workspaceId] };
    },
  },
  aggregate: {
    result: "aggregate",
    readsMany: true,
    options: 1,
    check: ([stages, options], refuse) => {
      const { pipeline, workspaceId } = tenantPipeline(stages, refuse);
      return { args: [pipeline, options], workspaceIds: [workspaceId] };
    },
  },
  insertOne: {
    result: "promise",
    options: 1,
    check: ([document, options], refuse) => {
      const checked = tenantDocument(document, refuse);
      return { args: [checked, options], workspaceIds: [checked.workspaceId] };
    },
  },
  insertMany: {
    result: "promise",
    options: 1,
    check: ([documents, options], refuse) => {
      if (!Array.isArray(documents)) return refuse("needs a list of documents");
      const checked = documents.map((document: unknown) => tenantDocument(document, refuse));
      return { args: [checked, options], workspaceIds: checked.map(({ workspaceId }) => workspaceId) };
    },
  },
  bulkWrite: {
    result: "promise",
    options: 1,
    check: ([operations, options], refuse) => {
      const { checked, workspaceIds } = tenantBulk(operations, refuse);
      return { args: [checked, options], workspaceIds };
    },
  },
} satisfies Record<string, MethodRule>;

/** The methods that have a rule. All other methods of a collection are refused. */
export type GuardedMethod = keyof typeof rules;

export const guardedMethods: ReadonlySet<string> = new Set(Object.keys(rules));

const table: Readonly<Record<string, MethodRule>> = rules;

/** The rule of a method. Undefined means that the method is refused. */
export function ruleOf(method: string): MethodRule | undefined {
  return guardedMethods.has(method) ? table[method] : undefined;
}

/** Checks the arguments of one call by the rule of its method. */
export function checkCall(rule: MethodRule, args: readonly unknown[], refuse: Refuse): Checked {
  requireSimpleCollation(args[rule.options], refuse);
  return rule.check(args, refuse);
}
