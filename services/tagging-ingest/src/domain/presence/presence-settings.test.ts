import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compactPresence,
  DEFAULT_PRESENCE_SETTINGS,
  type PresenceFields,
  presenceSettings,
  presenceViolations,
} from "./presence-settings.ts";

const optional = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: undefined });
const anyFields: fc.Arbitrary<PresenceFields> = fc.record({
  confirmReads: optional(1, 10),
  dwellSeconds: optional(0, 60),
  leaveAfterSeconds: optional(5, 86_400),
  marginDb: optional(0, 30),
  reportIntervalSeconds: optional(1, 28_800),
});
const fields = (presence: PresenceFields) => presenceViolations(presence).map(({ field }) => field);

describe("the settings of a place", () => {
  it("without any are the default", () => {
    expect(presenceSettings(undefined, undefined)).toBeUndefined();
    expect(presenceSettings({}, { confirmReads: undefined })).toBeUndefined();
  });

  it("are the zone's, else the workspace's, else the default, field by field", () => {
    const zone = { confirmReads: 1, dwellSeconds: 0 };
    const workspace = { confirmReads: 4, leaveAfterSeconds: 60, dwellSeconds: 20 };
    expect(presenceSettings(zone, workspace)).toEqual({
      ...{ confirmReads: 1, dwellMs: 0, leaveAfterMs: 60_000, marginDb: 6 },
    });
    expect(presenceSettings(undefined, { marginDb: 0 })).toEqual({
      ...DEFAULT_PRESENCE_SETTINGS,
      marginDb: 0,
    });
  });

  it("with a report interval need one read, and a silence of three intervals if that is more than 30 s", () => {
    const by = (reportIntervalSeconds: number, more: PresenceFields = {}) => {
      const settings = presenceSettings({ reportIntervalSeconds, ...more }, undefined);
      return [settings?.confirmReads, settings?.leaveAfterMs];
    };
    expect(by(5)).toEqual([1, 30_000]);
    expect(by(10)).toEqual([1, 30_000]);
    expect(by(11)).toEqual([1, 33_000]);
    expect(by(28_800)).toEqual([1, 86_400_000]);
    expect(by(2, { confirmReads: 3, leaveAfterSeconds: 6 })).toEqual([3, 6_000]);
  });

  it("a report interval bounds also what the other level has set", () => {
    const slow = { reportIntervalSeconds: 60 };
    const quick = { confirmReads: 3, leaveAfterSeconds: 30 };
    for (const settings of [presenceSettings(slow, quick), presenceSettings(quick, slow)]) {
      expect(settings).toMatchObject({ confirmReads: 1, leaveAfterMs: 180_000 });
    }
  });

  it("never need two reads that can't fall into 10 s, nor end before three reports", () => {
    fc.assert(
      fc.property(anyFields, anyFields, (zone, workspace) => {
        const settings = presenceSettings(zone, workspace) ?? DEFAULT_PRESENCE_SETTINGS;
        const interval = zone.reportIntervalSeconds ?? workspace.reportIntervalSeconds ?? 0;
        if (settings.confirmReads > 1) expect(interval).toBeLessThanOrEqual(5);
        expect(settings.leaveAfterMs).toBeGreaterThanOrEqual(interval * 3_000);
      }),
    );
  });

  it("that are not refused are those that were set", () => {
    fc.assert(
      fc.property(anyFields, (zone) => {
        fc.pre(presenceViolations(zone).length === 0);
        const settings = presenceSettings(zone, undefined);
        if (zone.confirmReads !== undefined) expect(settings?.confirmReads).toBe(zone.confirmReads);
        if (zone.leaveAfterSeconds !== undefined)
          expect(settings?.leaveAfterMs).toBe(zone.leaveAfterSeconds * 1000);
      }),
    );
  });
});

describe("settings that contradict one another", () => {
  it("more than one read with an interval above 5 s", () => {
    expect(fields({ confirmReads: 2, reportIntervalSeconds: 6 })).toEqual(["presence.confirm_reads"]);
    expect(fields({ confirmReads: 1, reportIntervalSeconds: 6 })).toEqual([]);
    expect(fields({ confirmReads: 2, reportIntervalSeconds: 5 })).toEqual([]);
  });

  it("a silence of less than three intervals", () => {
    expect(fields({ leaveAfterSeconds: 29, reportIntervalSeconds: 10 })).toEqual([
      "presence.leave_after_seconds",
    ]);
    expect(fields({ leaveAfterSeconds: 30, reportIntervalSeconds: 10 })).toEqual([]);
    expect(fields({ leaveAfterSeconds: 5 })).toEqual([]);
    expect(presenceViolations()).toEqual([]);
  });
});

it("settings without a value are no settings", () => {
  expect(compactPresence({ confirmReads: undefined, dwellSeconds: 0 })).toEqual({ dwellSeconds: 0 });
  expect(compactPresence({ confirmReads: undefined })).toBeUndefined();
  expect(compactPresence(undefined)).toBeUndefined();
});
