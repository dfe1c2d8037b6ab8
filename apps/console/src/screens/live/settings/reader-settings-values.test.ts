import { expect, test } from "vitest";
import { type ReaderSettings, settingsBodyOf, settingsValuesOf } from "./reader-settings-values.ts";

const settings: ReaderSettings = {
  presence: {
    ...{ report_interval_seconds: null, confirm_reads: 1, dwell_seconds: 0 },
    ...{ leave_after_seconds: null, margin_db: null },
  },
  filters: [{ action: "ignore", prefix: "E2", bits: null }],
  unknown_per_hour: 0,
  travel: { default_seconds: 300, pairs: [{ property_ids: ["prp_1", "prp_2"], seconds: 0 }] },
  ...{ rev: 4, updated_at: null },
};

test("a form that was not touched replaces the settings by the same ones; what is not set is not sent", () =>
  expect(settingsBodyOf(settingsValuesOf(settings))).toEqual({
    presence: { confirm_reads: 1, dwell_seconds: 0 },
    filters: [{ action: "ignore", prefix: "E2" }],
    unknown_per_hour: 0,
    travel: { default_seconds: 300, pairs: [{ property_ids: ["prp_1", "prp_2"], seconds: 0 }] },
  }));

test("a default is an empty field, and an empty field the default", () => {
  const values = settingsValuesOf({ ...settings, unknown_per_hour: 1_000 });
  expect(values).toMatchObject({ unknown_per_hour: "", travel: { default_seconds: "" } });
  expect(settingsBodyOf(values)).toMatchObject({ unknown_per_hour: 1_000, travel: { default_seconds: 300 } });
});
