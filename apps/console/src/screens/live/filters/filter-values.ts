import type { Schemas } from "../../../api/client.ts";
import { newKey, numberOf, type Row, withKeys } from "../form-rows.ts";

type Filter = Schemas["Reader"]["filters"][number];

export const actions = ["accept", "ignore"] as const satisfies Filter["action"][];

/** A filter of reads in a form. Without bits, the whole prefix is compared. */
export type FilterValues = Row & { action: Filter["action"]; prefix: string; bits: number | string };

export const emptyFilter = (): FilterValues => ({ key: newKey(), action: "ignore", prefix: "", bits: "" });

export const filterValuesOf = (filters: readonly Filter[] = []): FilterValues[] =>
  withKeys(filters.map(({ action, prefix, bits }) => ({ action, prefix, bits: bits ?? "" })));

export const filtersOf = (values: readonly FilterValues[]) =>
  values.map(({ action, prefix, bits }) => ({
    ...{ action, prefix: prefix.trim() },
    ...(bits !== "" && { bits: numberOf(bits) }),
  }));
