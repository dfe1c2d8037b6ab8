import { expect, test } from "vitest";
import { ofRunAsset, type RunLine, runLineId, toLedgerRow } from "./run-line.ts";

test("ids of lines are in order of asset, and of the lines of an asset", () => {
  expect(ofRunAsset("run_1", "ast_1")).toBe("run_1:ast_1");
  expect(runLineId("run_1", "ast_1", 7)).toBe("run_1:ast_1:00007");
  const ids = [9, 10, 1_200].map((index) => runLineId("run_1", "ast_1", index));
  expect(ids.toSorted()).toEqual(ids);
  expect(runLineId("run_1", "ast_2", 0) > runLineId("run_1", "ast_1", 99_999)).toBe(true);
});

test("a line becomes a row of the ledger, whose cause is its run or the change with the impairment", () => {
  const line: RunLine = {
    ...{ id: "x", workspaceId: "wsp_1", runId: "run_1", assetId: "ast_1", profileId: "prf_1" },
    ...{ categoryId: "cat_1", period: "2027-03", kind: "charge", openingNbv: 100, amount: 10 },
    ...{ closingNbv: 90, units: 5, fingerprint: "f" },
    inputs: { rule: "rest", cost: 100, salvage: 0, charged: 90 },
  };
  expect(toLedgerRow(line, "tax", "2027-04")).toEqual({
    ...{ profileId: "prf_1", assetId: "ast_1", book: "tax", kind: "charge", period: "2027-03" },
    ...{ bookedIn: "2027-04", categoryId: "cat_1", amount: 10, causeId: "run_1", units: 5 },
  });
  const impairment: RunLine = { ...line, kind: "impairment", causeId: "chg_1", units: undefined };
  expect(toLedgerRow(impairment, "book", "2027-04")).toMatchObject({ kind: "impairment", causeId: "chg_1" });
});
