import {
  embedded,
  type RecordDefinition,
  type RecordDocument,
  type TenantRecord,
} from "../record-definition.ts";
import { defineRecords, type Records } from "../records.ts";
import type { Progress, WorkState } from "./record.ts";

/** A record whose long work is a part of it. */
type WorkingRecord = TenantRecord & { status: string; progress: Progress };

type Work<D extends object> = D & { work?: WorkState };

/** The document of a record with long work, with additional fields `D`. */
export type WorkDocument<R extends TenantRecord, D extends object = object> = RecordDocument<R, Work<D>>;

/** A record with the reason of its failure. */
export type WorkView<R> = R & { error?: WorkState["error"] | undefined };

/** Why the work failed. An earlier failure of work that runs again is none. */
export const failureOf = ({ status, work }: { status: string; work?: WorkState }): WorkState["error"] =>
  status === "failed" ? work?.error : undefined;

/** A definition without the fields that all records with long work have. */
type Definition<R extends WorkingRecord, D extends object> = Omit<RecordDefinition<R, D>, "fields"> & {
  fields: Omit<RecordDefinition<R, D>["fields"], "status" | "progress">;
};

/** Declares a collection whose records have long work: `status`, `progress` and the state of the work are added. */
export function defineWorkRecords<R extends WorkingRecord, D extends object = object>(
  definition: Definition<R, D>,
): Records<R, Work<D>> {
  const added = { status: String, progress: embedded({ done: Number, total: Number }) };
  // The cast: TypeScript cannot add names to those of a type parameter.
  return defineRecords({
    ...definition,
    fields: { ...definition.fields, ...added },
    beside: { ...definition.beside, work: Object },
  } as unknown as RecordDefinition<R, Work<D>>);
}
