import mongoose, { type mongo } from "mongoose";
import type { CountCache } from "../count-cache.ts";
import { mapCursorErrors, mapErrors } from "../unavailable.ts";
import { guardAggregationCursor, guardFindCursor } from "./cursor.ts";
import { checkCall, type Form, type FormName, formOf } from "./forms.ts";
import { type Refuse, TenantGuardError } from "./tenant-guard-error.ts";

/** What each document of a workspace has in common. */
export type TenantDocument = { _id: string; workspaceId: string };

/** Where listPage finds the totals that it may reuse. */
export const counts: unique symbol = Symbol("counts");

/** The native driver's collection, reduced to the forms that the guard knows how to judge. */
export type TenantCollection<T extends TenantDocument> = Pick<
  mongo.Collection<T>,
  FormName | "collectionName" | "dbName" | "namespace"
> & { readonly [counts]: CountCache };

/**
 * Puts the guard before a collection. Deny by default: a method without a rule throws, those of
 * drivers to come included.
 */
export function guardCollection<T extends TenantDocument>(
  raw: mongo.Collection<T>,
  cache: CountCache,
): TenantCollection<T> {
  const { collectionName, dbName, namespace } = raw;
  const methods: Record<string | symbol, unknown> = { collectionName, dbName, namespace, [counts]: cache };
  for (const name of methodsOf(mongoose.mongo.Collection.prototype)) {
    const refuse: Refuse = (reason) => {
      throw new TenantGuardError(collectionName, name, reason);
    };
    const form = formOf(name);
    methods[name] =
      form === undefined
        ? () => refuse("is not allowed on the documents of workspaces")
        : (...args: unknown[]) => call(raw, name, form, args, refuse);
  }
  // The object is built from the driver's own list of methods, which types can't follow.
  return Object.freeze(methods) as TenantCollection<T>;
}

function call<T extends TenantDocument>(
  raw: mongo.Collection<T>,
  name: string,
  form: Form,
  args: unknown[],
  refuse: Refuse,
): unknown {
  const checked = checkCall(form, args, refuse);
  const method: unknown = Reflect.get(raw, name);
  if (typeof method !== "function") return refuse("is not a method of this driver");
  const answer: unknown = Reflect.apply(method, raw, checked.args);
  const options = args[form.options];
  if (form.answer === "promise") return mapErrors(answer, options);
  if (answer instanceof mongoose.mongo.FindCursor) {
    return mapCursorErrors(guardFindCursor(answer, refuse), options);
  }
  if (answer instanceof mongoose.mongo.AggregationCursor && checked.workspaceId !== undefined) {
    return mapCursorErrors(guardAggregationCursor(answer, checked.workspaceId, refuse), options);
  }
  return answer;
}

function methodsOf(prototype: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name, { value }]) => typeof value === "function" && name !== "constructor")
    .map(([name]) => name);
}
