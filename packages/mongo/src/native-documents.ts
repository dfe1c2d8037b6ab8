import type { Schema } from "mongoose";
import { definedOnly } from "./set-or-unset.ts";

/** The fields of a document. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Makes documents as Mongoose stores them, for inserts with the native driver: a list that is absent is empty, and
 * absent fields are left out. Values are not cast.
 *
 * @throws Error for a field that the schema does not declare, but not within nested objects
 */
export function createNativeDocuments(
  schema: Pick<Schema, "paths">,
  collection: string,
): <T extends Fields>(fields: T) => T {
  const declared = new Set(Object.keys(schema.paths));
  const lists = Object.values(schema.paths).filter(({ instance }) => instance === "Array");
  const emptyLists = Object.fromEntries(lists.map(({ path }) => [path, []]));
  return <T extends Fields>(fields: T): T => {
    const undeclared = Object.keys(fields).find((field) => !declared.has(field));
    if (undeclared !== undefined) throw new Error(`${collection}: the field ${undeclared} is not declared`);
    return { ...emptyLists, ...(definedOnly(fields) as T) };
  };
}
