import { tenantBulk } from "./bulk.ts";
import { tenantDocument, tenantReplacement } from "./document.ts";
import { requireSimpleCollation, tenantFilter } from "./filter.ts";
import { tenantChanges, tenantPipeline } from "./pipeline.ts";
import type { Refuse } from "./tenant-guard-error.ts";
import { tenantUpdate } from "./update.ts";

/** What a form answers: a promise, or something that reads later and needs the guard as well. */
type Answer = "promise" | "find" | "aggregate" | "changes";

type Checked = { args: unknown[]; workspaceId?: string };

export type Form = {
  answer: Answer;
  /** Where the options stand among the arguments. */
  options: number;
  check(args: readonly unknown[], refuse: Refuse): Checked;
};

const byFilter = (answer: Answer): Form => ({
  answer,
  options: 1,
  check: ([filter, options], refuse) => {
    const checked = tenantFilter(filter, refuse);
    return { args: [checked.filter, options], workspaceId: checked.workspaceId };
  },
});

const update: Form = {
  answer: "promise",
  options: 2,
  check: ([filter, change, options], refuse) => {
    const { filter: checked, workspaceId } = tenantFilter(filter, refuse);
    return { args: [checked, tenantUpdate(change, workspaceId, refuse), options] };
  },
};

const replace: Form = {
  answer: "promise",
  options: 2,
  check: ([filter, replacement, options], refuse) => {
    const { filter: checked, workspaceId } = tenantFilter(filter, refuse);
    return { args: [checked, tenantReplacement(replacement, workspaceId, refuse), options] };
  },
};

const forms = {
  find: byFilter("find"),
  findOne: byFilter("promise"),
  findOneAndDelete: byFilter("promise"),
  findOneAndUpdate: update,
  findOneAndReplace: replace,
  updateOne: update,
  updateMany: update,
  replaceOne: replace,
  deleteOne: byFilter("promise"),
  deleteMany: byFilter("promise"),
  countDocuments: byFilter("promise"),
  distinct: {
    answer: "promise",
    options: 2,
    check: ([key, filter, options], refuse) => ({
      args: [key, tenantFilter(filter, refuse).filter, options],
    }),
  },
  aggregate: {
    answer: "aggregate",
    options: 1,
    check: ([stages, options], refuse) => {
      const { pipeline, workspaceId } = tenantPipeline(stages, refuse);
      return { args: [pipeline, options], workspaceId };
    },
  },
  watch: {
    answer: "changes",
    options: 1,
    check: ([stages, options], refuse) => ({ args: [tenantChanges(stages, refuse), options] }),
  },
  insertOne: {
    answer: "promise",
    options: 1,
    check: ([document, options], refuse) => ({ args: [tenantDocument(document, refuse), options] }),
  },
  insertMany: {
    answer: "promise",
    options: 1,
    check: ([documents, options], refuse) => {
      if (!Array.isArray(documents)) return refuse("needs a list of documents");
      return { args: [documents.map((document: unknown) => tenantDocument(document, refuse)), options] };
    },
  },
  bulkWrite: {
    answer: "promise",
    options: 1,
    check: ([operations, options], refuse) => ({ args: [tenantBulk(operations, refuse), options] }),
  },
} satisfies Record<string, Form>;

/** The forms that pass when their arguments do; each other method of a collection is refused. */
export type FormName = keyof typeof forms;

export const formNames: ReadonlySet<string> = new Set(Object.keys(forms));

const table: Readonly<Record<string, Form>> = forms;

/** The rule of a method, unless there is none, in which case the method is refused. */
export function formOf(method: string): Form | undefined {
  return formNames.has(method) ? table[method] : undefined;
}

/** Holds the arguments of one call to the rule of its form. */
export function checkCall(form: Form, args: readonly unknown[], refuse: Refuse): Checked {
  requireSimpleCollation(args[form.options], refuse);
  return form.check(args, refuse);
}
