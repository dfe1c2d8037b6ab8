import { limits, readerDefaults } from "@asset-register/proto/limits";
import type { Schemas } from "../../../api/client.ts";
import { numberOf } from "../form-rows.ts";

export const presenceFields = [
  ...(["report_interval_seconds", "confirm_reads", "dwell_seconds"] as const),
  ...(["leave_after_seconds", "margin_db"] as const),
];
export type PresenceField = (typeof presenceFields)[number];

/** The settings of a zone or a workspace. Null: none are set. */
export type Presence = Schemas["Zone"]["presence"];

/** The form of these settings. An empty field is not set. */
export type PresenceValues = Record<PresenceField, number | string>;

const { confirmReads, dwellSeconds, leaveAfterSeconds, marginDb } = readerDefaults.presence;
/** Of what is not set anywhere. */
const defaults = {
  ...{ confirm_reads: confirmReads, dwell_seconds: dwellSeconds },
  ...{ leave_after_seconds: leaveAfterSeconds, margin_db: marginDb },
};

const recordOf = <T>(value: (field: PresenceField) => T): Record<PresenceField, T> =>
  Object.fromEntries(presenceFields.map((field) => [field, value(field)])) as Record<PresenceField, T>;

export const presenceValuesOf = (presence: Presence | undefined): PresenceValues =>
  recordOf((field) => presence?.[field] ?? "");

/** The fields that are set. */
export function presenceOf(values: PresenceValues): Partial<Record<PresenceField, number>> {
  const set = presenceFields.map((field) => [field, numberOf(values[field])] as const);
  return Object.fromEntries(set.filter(([, value]) => value !== undefined));
}

/** The fields that differ from `before`, as a PATCH takes them: null clears a field. */
export function presenceChangesOf(
  values: PresenceValues,
  before: Presence,
): Partial<Record<PresenceField, number | null>> {
  const all = presenceFields.map((field) => [field, numberOf(values[field]) ?? null] as const);
  return Object.fromEntries(all.filter(([field, value]) => value !== (before?.[field] ?? null)));
}

/** What counts while a field is empty, and why. Undefined: nothing. */
export type Inherited = { value: number; from: "workspace" | "default" | "interval" } | undefined;

/**
 * What counts for each field that is empty: of a zone the value of the workspace, else the default. A report interval,
 * which may be typed above, bounds both.
 */
export function inheritedOf(values: PresenceValues, workspace?: Presence): Record<PresenceField, Inherited> {
  const interval = numberOf(values.report_interval_seconds) ?? workspace?.report_interval_seconds ?? 0;
  return recordOf((field) => {
    const set = workspace?.[field] ?? undefined;
    if (field === "report_interval_seconds")
      return set === undefined ? undefined : { value: set, from: "workspace" };
    const value = set ?? defaults[field];
    const bounded = boundedBy(interval, field, value, set !== undefined);
    if (bounded !== value) return { value: bounded, from: "interval" };
    return { value, from: set === undefined ? "default" : "workspace" };
  });
}

function boundedBy(interval: number, field: PresenceField, value: number, isSet: boolean): number {
  if (field === "leave_after_seconds")
    return Math.max(value, limits.presence.intervalsBeforeLeaving * interval);
  if (field !== "confirm_reads") return value;
  return interval > limits.presence.longestConfirmedSeconds || (interval > 0 && !isSet) ? 1 : value;
}
