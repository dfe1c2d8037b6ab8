import { newId } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { changesBetween, checkForeignAct, type ForeignAct } from "./audit.ts";

const workspaceId = newId("wsp");
const act: ForeignAct = {
  at: new Date(),
  actor: { kind: "user", id: "usr_1" },
  action: "reader.secret_rotated",
  subjectId: "rdr_1",
  changes: [{ field: "overlap_seconds", after: "60" }],
  requestId: "",
  cause: { service: "tagging-ingest", id: "rdr_1:4" },
};

test("changes name the fields that differ, with the side that was there", () => {
  const before = { name: "A", plan: "starter", gone: "x" };
  expect(changesBetween(before, { name: "A", plan: "business", made: "y" })).toEqual([
    { field: "plan", before: "starter", after: "business" },
    { field: "gone", before: "x" },
    { field: "made", after: "y" },
  ]);
});

test("an act of another service is taken as it is, when it names workspace, cause, actor and action", () => {
  expect(checkForeignAct(workspaceId, act)).toEqual([]);
  const fields = (part: Partial<ForeignAct>) =>
    checkForeignAct(workspaceId, { ...act, ...part }).map(({ field }) => field);
  for (const action of ["", "reader", "Reader.made", "reader.", "reader.made!", `a.${"b".repeat(99)}`]) {
    expect(fields({ action })).toEqual(["action"]);
  }
  expect(fields({ cause: { service: "x", id: "" } })).toEqual(["cause_id"]);
  expect(fields({ actor: { kind: "user", id: "" } })).toEqual(["actor.id"]);
  expect(fields({ changes: [{ field: "", after: "x".repeat(4_001) }] })).toEqual([
    "changes.0.field",
    "changes.0.after",
  ]);
  expect(checkForeignAct("none", act).map(({ field }) => field)).toEqual(["workspace_id"]);
});
