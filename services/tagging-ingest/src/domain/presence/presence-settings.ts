import { limits, readerDefaults } from "@asset-register/proto/limits";
import type { FieldViolation } from "@asset-register/runtime";

/** How a place decides about tags (ingest.md, "Presence"). Times are in milliseconds. */
export type PresenceSettings = {
  /** Seconds with a read that a move needs, within 10 s. */
  confirmReads: number;
  /** A contested move needs so long since the last move. Most reads of this time decide it. */
  dwellMs: number;
  /** A tag has left when its fixed portal has not read it for this long. */
  leaveAfterMs: number;
  /** So much stronger a signal decides a contested move too. */
  marginDb: number;
};

/** What people set for a zone or a workspace. */
export type PresenceFields = {
  confirmReads?: number | undefined;
  dwellSeconds?: number | undefined;
  leaveAfterSeconds?: number | undefined;
  marginDb?: number | undefined;
  /** How often the readers report a tag that stays. */
  reportIntervalSeconds?: number | undefined;
};

const defaults = readerDefaults.presence;

export const DEFAULT_PRESENCE_SETTINGS: PresenceSettings = {
  confirmReads: defaults.confirmReads,
  dwellMs: defaults.dwellSeconds * 1000,
  leaveAfterMs: defaults.leaveAfterSeconds * 1000,
  marginDb: defaults.marginDb,
};

const { intervalsBeforeLeaving, longestConfirmedSeconds } = limits.presence;

/** How long a tag may be silent at a place before it has left. */
export const leaveAfterOf = ({ leaveAfterMs }: { leaveAfterMs?: number | undefined }): number =>
  leaveAfterMs ?? DEFAULT_PRESENCE_SETTINGS.leaveAfterMs;

/** The fields that contradict one another, by their paths in HTTP. */
export function presenceViolations(presence: PresenceFields = {}): FieldViolation[] {
  const { confirmReads, leaveAfterSeconds, reportIntervalSeconds: interval } = presence;
  if (interval === undefined) return [];
  const violations: FieldViolation[] = [];
  if (interval > longestConfirmedSeconds && confirmReads !== undefined && confirmReads > 1) {
    const message = `must be 1 with a report_interval_seconds above ${longestConfirmedSeconds}: two reports never fall into 10 s`;
    violations.push({ field: "presence.confirm_reads", message });
  }
  const least = intervalsBeforeLeaving * interval;
  if (leaveAfterSeconds !== undefined && leaveAfterSeconds < least) {
    const message = `must be at least ${least}: three times report_interval_seconds`;
    violations.push({ field: "presence.leave_after_seconds", message });
  }
  return violations;
}

/** The settings without empty fields; undefined when none is left. */
export function compactPresence(presence: PresenceFields | undefined): PresenceFields | undefined {
  const set = Object.entries(presence ?? {}).filter(([, value]) => value !== undefined);
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

/**
 * The settings of a place, field by field: the zone's, else the workspace's, else the default. Undefined: all are the
 * default. A report interval bounds also what the other level has set, because no setting makes a reader report more
 * often.
 */
export function presenceSettings(
  zone: PresenceFields | undefined,
  workspace: PresenceFields | undefined,
): PresenceSettings | undefined {
  const fields = { ...compactPresence(workspace), ...compactPresence(zone) };
  if (Object.keys(fields).length === 0) return undefined;
  const { confirmReads, dwellMs, leaveAfterMs, marginDb } = DEFAULT_PRESENCE_SETTINGS;
  const { reportIntervalSeconds: interval = 0 } = fields;
  const reads = fields.confirmReads ?? (interval > 0 ? 1 : confirmReads);
  const leaveMs = seconds(fields.leaveAfterSeconds) ?? leaveAfterMs;
  return {
    confirmReads: interval > longestConfirmedSeconds ? 1 : reads,
    dwellMs: seconds(fields.dwellSeconds) ?? dwellMs,
    leaveAfterMs: Math.max(leaveMs, intervalsBeforeLeaving * interval * 1000),
    marginDb: fields.marginDb ?? marginDb,
  };
}

const seconds = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : value * 1000;
