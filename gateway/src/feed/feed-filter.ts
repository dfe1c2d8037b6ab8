import { eventTypes, eventTypesOf } from "@asset-register/proto/event-types";
import { holds, type Principal } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import type { FeedItem } from "./feed-item.ts";

/** The entries that one client gets. */
export type FeedFilter = {
  /** Undefined: all types, also those of later releases. */
  types: ReadonlySet<string> | undefined;
  assetId: string | undefined;
};

const MAX_TYPES = 20;

/**
 * Parses `types`: types and groups of types, separated by commas. Empty means all.
 *
 * @throws AppError VALIDATION_FAILED that names each text which is no type
 */
export function parseTypes(text = ""): string[] {
  const types = text === "" ? [] : text.split(",");
  if (types.length > MAX_TYPES) throw invalid([{ field: "types", message: `must be at most ${MAX_TYPES}` }]);
  const unknown = types.filter((type) => eventTypesOf(type).length === 0);
  if (unknown.length > 0) {
    throw invalid(unknown.map((type) => ({ field: "types", message: `${type} is no type of event` })));
  }
  return types;
}

/** The filter of a client: the types that it asks for, without those that it may not see. */
export function feedFilter(
  principal: Principal,
  types: readonly string[],
  assetId: string | undefined,
): FeedFilter {
  const isKey = principal.kind === "api_key";
  if (isKey && types.length === 0) return { types: undefined, assetId };
  const asked = types.length === 0 ? allTypes : types.flatMap(eventTypesOf);
  return { types: new Set(asked.filter((type) => isKey || holds(principal, eventTypes[type]))), assetId };
}

const allTypes = Object.keys(eventTypes) as (keyof typeof eventTypes)[];

/** Whether the client of a filter gets an entry. */
export const admits = ({ types, assetId }: FeedFilter, item: FeedItem): boolean =>
  (types === undefined || types.has(item.type)) && (assetId === undefined || assetId === item.assetId);
