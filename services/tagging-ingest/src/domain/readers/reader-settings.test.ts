import { expect, it } from "vitest";
import {
  auditedSettings,
  defaultReaderSettings,
  readerSettingsViolations,
  travelSeconds,
} from "./reader-settings.ts";

const settings = defaultReaderSettings("wsp_1");
const withPairs = (...pairs: string[][]) => ({
  ...settings,
  travel: { defaultSeconds: 300, pairs: pairs.map((propertyIds) => ({ propertyIds, seconds: 0 })) },
});

it("the defaults contradict nothing", () => {
  expect(readerSettingsViolations(settings)).toEqual([]);
  expect(settings).toMatchObject({ rev: 1, unknownPerHour: 1_000, travel: { defaultSeconds: 300 } });
});

it("a pair has two properties, and each two properties have one pair, in whatever order", () => {
  const refused = (...pairs: string[][]) =>
    readerSettingsViolations(withPairs(...pairs)).map(({ field }) => field);
  expect(refused(["prp_1", "prp_2"], ["prp_1", "prp_3"])).toEqual([]);
  expect(refused(["prp_1"], ["prp_1", "prp_1"], ["prp_1", "prp_2", "prp_3"], [])).toEqual(
    [0, 1, 2, 3].map((at) => `travel.pairs.${at}.property_ids`),
  );
  expect(refused(["prp_1", "prp_2"], ["prp_2", "prp_1"])).toEqual(["travel.pairs.1.property_ids"]);
});

it("two properties have the travel time of their pair, in whatever order, else the default", () => {
  const pairs = [{ propertyIds: ["prp_1", "prp_2"], seconds: 0 }];
  const seconds = travelSeconds({ defaultSeconds: 300, pairs });
  expect([seconds("prp_1", "prp_2"), seconds("prp_2", "prp_1"), seconds("prp_1", "prp_3")]).toEqual([
    0, 0, 300,
  ]);
});

it("contradictions of presence are refused in the settings of a workspace too", () => {
  const presence = { confirmReads: 2, reportIntervalSeconds: 60 };
  expect(readerSettingsViolations({ ...settings, presence })).toMatchObject([
    { field: "presence.confirm_reads" },
  ]);
});

it("the audit log gets each field as a text", () => {
  const pairs = [{ propertyIds: ["prp_1", "prp_2"], seconds: 60 }];
  const presence = { confirmReads: 3 };
  expect(
    auditedSettings({
      presence,
      filters: [{ action: "accept", prefix: "30" }],
      unknownPerHour: 5,
      travel: { defaultSeconds: 1, pairs },
    }),
  ).toEqual({
    ...{ "presence.confirmReads": 3, filters: ["accept 30"], unknownPerHour: 5 },
    ...{ "travel.defaultSeconds": 1, "travel.pairs": ["prp_1:prp_2=60"] },
  });
});
