import { expect, test } from "vitest";
import type { Variance, VarianceResolution } from "../variance.ts";
import { mergeFindings } from "./merge-findings.ts";
import { writeRows } from "./write-rows.ts";

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

test("a row that nobody has resolved goes once it is no longer found, also one whose resolution was refused", () => {
  const refused = row({ resolutions: [{ ...past, outcome: "refused" }] });
  for (const before of [row(), refused]) expect(writesOf(before).removedIds).toEqual(["var_1"]);
});
