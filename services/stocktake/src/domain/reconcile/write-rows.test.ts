import { describe, expect, test } from "vitest";
import type { Variance, VarianceResolution } from "../variance.ts";
import type { Finding, Seen } from "./finding.ts";
import { mergeFindings } from "./merge-findings.ts";
import { type RowDetails, writeRows } from "./write-rows.ts";

const by = { kind: "user", id: "usr_1" } as const;
const resolvedAt = new Date(0);
const past: VarianceResolution = {
  ...{ resolution: "ignored", note: "on loan", by, at: resolvedAt, rev: 2, outcome: "resolved" },
};
const row = (fields: Partial<Variance> = {}): Variance => ({
  ...{ id: "var_1", workspaceId: "wsp_1", sessionId: "sts_1", subject: "asset:ast_1", kind: "missing" },
  ...{ assetId: "ast_1", status: "unresolved", obsolete: false, rev: 1, ...fields },
});
const resolved = row({
  ...{ status: "resolved", resolution: "ignored", note: "on loan", resolvedBy: by, resolvedAt, rev: 3 },
  resolutions: [past],
});
const details = {
  ...{ workspaceId: "wsp_1", sessionId: "sts_1", assets: new Map(), locationNames: new Map() },
  newId: () => "var_new",
};
const misplaced = { subject: "asset:ast_1", assetId: "ast_1", kind: "misplaced" } as const;
const writesOf = (before: Variance, ...findings: (typeof misplaced)[]) =>
  writeRows(
    mergeFindings(
      [before],
      findings.map((finding) => ({ finding })),
    ),
    details,
  );

test("a row that is opened again keeps its former resolutions, also one of an earlier release", () => {
  for (const before of [resolved, { ...resolved, resolutions: undefined }]) {
    const { updates } = writesOf(before, misplaced);
    expect(updates).toMatchObject([{ kind: "misplaced", status: "unresolved", rev: 4, resolutions: [past] }]);
    expect(updates[0]?.resolution).toBeUndefined();
  }
});

test("a row that was opened again and is no longer found stays, with its last resolution", () => {
  const reopened = row({ rev: 4, resolutions: [past, { ...past, rev: 5, outcome: "refused" }] });
  const { updates, removedIds } = writesOf(reopened);
  expect(removedIds).toEqual([]);
  expect(updates).toMatchObject([
    { status: "resolved", resolution: "ignored", note: "on loan", resolvedBy: by, obsolete: true, rev: 5 },
  ]);
});

test("an unresolved row is removed when it is no longer found, also one whose resolution was refused", () => {
  const refused = row({ resolutions: [{ ...past, outcome: "refused" }] });
  for (const before of [row(), refused]) expect(writesOf(before).removedIds).toEqual(["var_1"]);
});

describe("the content of a row", () => {
  const finding: Finding = {
    ...{ subject: "asset:ast_1", assetId: "ast_1", kind: "misplaced", reason: "lost_asset" },
    ...{ expectedLocationId: "loc_1", effectiveLocationId: "loc_2" },
  };
  const seen: Seen = { code: "AR-1", epc: undefined, lastScannedAt: new Date(5), deviceId: "sled" };
  const shown = { assetNumber: "A-1", assetName: "Drill", cost: 500, nbv: 300 };
  const given: RowDetails = {
    ...details,
    assets: new Map([["ast_1", shown]]),
    locationNames: new Map([
      ["loc_1", "Room"],
      ["loc_2", "Attic"],
    ]),
  };
  const content = {
    ...{ ...finding, ...seen, ...shown },
    ...{ expectedLocationName: "Room", effectiveLocationName: "Attic" },
  };
  const known = row({ ...content, note: "look again", rev: 7 });
  const write = (before: Variance[], changed: Partial<RowDetails> = {}, found = { finding, seen }) =>
    writeRows(mergeFindings(before, [found]), { ...given, ...changed });

  test("a new row has its finding, its scan, and the names and amounts of this reconcile", () => {
    const inserted = {
      ...{ id: "var_new", workspaceId: "wsp_1", sessionId: "sts_1", ...content },
      ...{ status: "unresolved", obsolete: false, rev: 1 },
    };
    expect(write([])).toEqual({ inserts: [inserted], updates: [], removedIds: [], counted: [inserted] });
  });

  test("a row that is opened again keeps its id", () => {
    const { updates, counted, inserts } = write([row({ kind: "found", rev: 3 })]);
    expect(updates).toMatchObject([{ ...content, id: "var_1", rev: 4 }]);
    expect([counted, inserts]).toEqual([updates, []]);
  });

  test("a row whose content stays the same is counted, but not written", () => {
    const again = { finding, seen: { ...seen, lastScannedAt: new Date(5) } };
    expect(write([known], {}, again)).toEqual({ inserts: [], updates: [], removedIds: [], counted: [known] });
  });

  test.each<[string, Partial<Variance>]>([
    ["a later scan", { lastScannedAt: new Date(4) }],
    ["another device", { deviceId: "phone" }],
    ["another name", { assetName: "Old drill" }],
    ["another cost", { cost: 499 }],
    ["a code where there was none", { code: undefined }],
    ["no EPC where there was one", { epc: "ABCD" }],
    ["a scan where there was none", { lastScannedAt: undefined }],
  ])("a row with %s is written, with the rev and the note that it had", (_change, was) => {
    const { updates, counted } = write([{ ...known, ...was }]);
    expect(updates).toEqual([{ ...known, ...content }]);
    expect(counted).toEqual(updates);
  });

  test("a location that was deleted keeps the name that the row had; in a new row it has none", () => {
    const deleted = { locationNames: new Map([["loc_1", "Room"]]) };
    expect(write([{ ...known, cost: 1 }], deleted).updates).toMatchObject([
      { expectedLocationName: "Room", effectiveLocationName: "Attic" },
    ]);
    expect(write([], deleted).inserts[0]?.effectiveLocationName).toBeUndefined();
  });

  test("a row without a location or an asset has no names", () => {
    const code = { subject: "code:X", kind: "unregistered", effectiveLocationId: "loc_2" } as const;
    const { inserts } = write([], {}, { finding: code as Finding, seen });
    expect(inserts).toMatchObject([
      { expectedLocationName: undefined, effectiveLocationName: "Attic", assetName: undefined },
    ]);
  });
});
