import mongoose, { type mongo } from "mongoose";
import type { CountCache, Total } from "../count-cache.ts";
import { askWithin, currentLimits, type QueryLimits } from "../query-limits.ts";
import type { ReadTurns } from "../read-turns.ts";
import { inTransaction, mapCursorErrors, mapErrors } from "../unavailable.ts";
import { guardAggregationCursor, guardFindCursor } from "./cursor.ts";
import { checkCall, type GuardedMethod, type MethodRule, ruleOf } from "./method-rules.ts";
import { type Refuse, TenantGuardError } from "./tenant-guard-error.ts";
import { checkTransaction } from "./transaction-rules.ts";

/** The fields of every document that belongs to a workspace. */
export type TenantDocument = { _id: string; workspaceId: string };

/** Key of the cache of totals, for listPage. */
export const counts: unique symbol = Symbol("counts");

/** The native driver's collection, reduced to the methods that the guard can check. */
export type TenantCollection<T extends TenantDocument> = Pick<
  mongo.Collection<T>,
  GuardedMethod | "collectionName" | "dbName" | "namespace"
> & { readonly [counts]: CountCache<Total> };

/** The state that all collections of a connection share. */
type Shared = { readonly counts: CountCache<Total>; readonly turns: ReadTurns };

/**
 * Wraps a collection with the guard. It denies by default: a method without a rule throws, also a method of a
 * future driver. Queries of a call end at its deadline, and those that may read many records take turns.
 */
export function guardCollection<T extends TenantDocument>(
  raw: mongo.Collection<T>,
  { counts: cache, turns }: Shared,
): TenantCollection<T> {
  const { collectionName, dbName, namespace } = raw;
  const methods: Record<string | symbol, unknown> = { collectionName, dbName, namespace, [counts]: cache };
  for (const name of methodsOf(mongoose.mongo.Collection.prototype)) {
    const refuse: Refuse = (reason) => {
      throw new TenantGuardError(collectionName, name, reason);
    };
    const rule = ruleOf(name);
    methods[name] =
      rule === undefined
        ? () => refuse("is not allowed on the documents of workspaces")
        : (...args: unknown[]) => call({ raw, name, rule, turns, refuse }, args);
  }
  // The cast is needed because the object is built from the driver's list of methods at run time.
  return Object.freeze(methods) as TenantCollection<T>;
}

type Guarded<T extends TenantDocument> = {
  raw: mongo.Collection<T>;
  name: string;
  rule: MethodRule;
  turns: ReadTurns;
  refuse: Refuse;
};

function call<T extends TenantDocument>(guarded: Guarded<T>, args: unknown[]): unknown {
  const { raw, name, rule, refuse } = guarded;
  const checked = checkCall(rule, args, refuse);
  const [workspaceId] = checked.workspaceIds;
  const method: unknown = Reflect.get(raw, name);
  if (typeof method !== "function") return refuse("is not a method of this driver");
  const options = args[rule.options];
  checkTransaction(name, options, checked.workspaceIds, refuse);
  const limits = limitsOf(guarded, options, workspaceId);
  const ask = (given: readonly unknown[]): unknown => Reflect.apply(method, raw, given);
  const result = limits ? askWithin(rule, limits, checked.args, ask) : ask(checked.args);
  if (rule.result === "promise") return mapErrors(result, options);
  if (result instanceof mongoose.mongo.FindCursor) {
    return mapCursorErrors(guardFindCursor(result, refuse), options);
  }
  if (result instanceof mongoose.mongo.AggregationCursor && workspaceId !== undefined) {
    return mapCursorErrors(guardAggregationCursor(result, workspaceId, refuse), options);
  }
  return result;
}

/** A read in a transaction takes no turn: it may hold locks that others wait for. */
function limitsOf<T extends TenantDocument>(
  { rule, turns }: Guarded<T>,
  options: unknown,
  workspaceId: string | undefined,
): QueryLimits | undefined {
  if (!rule.readsMany || workspaceId === undefined || inTransaction(options)) return currentLimits();
  return currentLimits((deadline, command) => turns.run(workspaceId, deadline, command));
}

function methodsOf(prototype: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name, { value }]) => typeof value === "function" && name !== "constructor")
    .map(([name]) => name);
}
