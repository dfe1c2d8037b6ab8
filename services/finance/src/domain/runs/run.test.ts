import { AppError } from "@asset-register/runtime";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  assertCanCreate,
  assertCanDiscard,
  assertCanPost,
  assertFresh,
  noTotals,
  type OtherRuns,
  type RunStatus,
  statusChange,
} from "./run.ts";
import { addContribution, contributionOf, journalOfRun, mergeContributions } from "./run-amounts.ts";

const statuses: RunStatus[] = ["computing", "draft", "posting", "posted", "failed", "discarded"];

const codeOf = (act: () => void): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.code : "other";
  }
};

test("only a draft can be posted; what is computing, a draft or failed can be discarded; all else is RUN_STATE", () => {
  const post = statuses.filter((status) => codeOf(() => assertCanPost({ status })) === undefined);
  const discard = statuses.filter((status) => codeOf(() => assertCanDiscard({ status })) === undefined);
  expect([post, discard]).toEqual([["draft"], ["computing", "draft", "failed"]]);
  expect(codeOf(() => assertCanPost({ status: "posted" }))).toBe("RUN_STATE");
  const changed = { assetIds: ["ast_1"], count: 12 };
  expect(codeOf(() => assertFresh({ stale: true }, changed))).toBe("RUN_STALE");
  expect(codeOf(() => assertFresh({ stale: false }, changed))).toBeUndefined();
});

test.each([
  [
    "a live run comes first",
    "2999-01",
    { live: { id: "run_1", status: "draft" }, posted: { id: "run_2" } },
    "RUN_LIVE",
  ],
  ["a posted run of the month", "2026-01", { posted: { id: "run_2" }, lastPosted: "2026-02" }, "RUN_EXISTS"],
  ["a month before the last posted one", "2026-01", { lastPosted: "2026-02" }, "VALIDATION_FAILED"],
  ["a month after the present one", "2026-04", {}, "VALIDATION_FAILED"],
  ["the present month", "2026-03", { lastPosted: "2026-01" }, undefined],
] as const)("%s", (_, period, others, code) => {
  expect(codeOf(() => assertCanCreate(period, "2026-03", others))).toBe(code);
});

test("a refusal says what the run is and what it needs, and names what is in the way", () => {
  const errorOf = (act: () => void) => {
    try {
      act();
    } catch (error) {
      const { message, violations } = error as AppError;
      return [message, ...violations.map((one) => `${one.field}: ${one.message}`)];
    }
    return undefined;
  };
  expect(errorOf(() => assertCanDiscard({ status: "posted" }))).toEqual([
    "The run is posted. This needs a run that is computing or draft or failed.",
    "status: posted",
  ]);
  const stale = (assetIds: string[], count: number) =>
    errorOf(() => assertFresh({ stale: true }, { assetIds, count }));
  const changed =
    "The inputs of the run have changed since it was computed. Discard it and create another one.";
  expect(stale(["ast_1"], 1)).toEqual([changed, "stale: 1 asset has changed", "asset_id: ast_1"]);
  expect(stale([], 12)).toEqual([changed, "stale: 12 assets have changed"]);
  const create = (period: string, others: OtherRuns) =>
    errorOf(() => assertCanCreate(period, "2026-03", others));
  expect(create("2026-03", { live: { id: "run_1", status: "draft" } })).toEqual([
    "Another run of the book is draft. Post or discard it first.",
    "run_id: run_1",
  ]);
  expect(create("2026-03", { posted: { id: "run_2" } })).toEqual([
    "The month is posted already.",
    "run_id: run_2",
  ]);
  const [, before] = create("2026-01", { lastPosted: "2026-02" }) ?? [];
  expect(before).toBe("month: must not be before 2026-02, the last posted month");
  const [, after] = create("2026-04", {}) ?? [];
  expect(after).toBe("month: must not be after 2026-03, the current month");
  expect(create("2026-02", { lastPosted: "2026-02" })).toBeUndefined();
});

test("the change of a status is logged", () => {
  expect(statusChange("draft", "posted")).toEqual([{ field: "status", before: "draft", after: "posted" }]);
});

const line = fc.record({
  period: fc.constantFrom("2026-01", "2026-02", "2026-03"),
  kind: fc.constantFrom("charge" as const, "impairment" as const),
  amount: fc.nat({ max: 1_000_000 }),
});
const asset = fc.record({
  categoryId: fc.constantFrom("cat_1", "cat_2", undefined),
  lines: fc.array(line, { maxLength: 4 }),
});

test("totals and journal are the same for any chunks in any order, and what is taken off leaves nothing", () => {
  fc.assert(
    fc.property(fc.array(asset, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (assets, size) => {
      const whole = contributionOf("2026-03", assets);
      const chunks = Array.from({ length: Math.ceil(assets.length / size) }, (_, index) =>
        contributionOf("2026-03", assets.slice(index * size, (index + 1) * size)),
      );
      const empty = { totals: noTotals, amounts: {} };
      const sum = chunks.toReversed().reduce(mergeContributions, empty);
      expect(sum.totals).toEqual(whole.totals);
      expect(journalOfRun(sum.amounts)).toEqual(journalOfRun(whole.amounts));
      const { current, catchUp, impairment } = whole.totals;
      const booked = journalOfRun(whole.amounts).reduce((total, { amount }) => total + amount, 0);
      expect(booked).toBe(current + catchUp + impairment);
      const none = mergeContributions(whole, contributionOf("2026-03", assets, -1));
      expect(journalOfRun(none.amounts)).toEqual([]);
      expect(Object.values(none.totals).every((total) => total === 0)).toBe(true);
    }),
  );
});

test("a sum that a number cannot hold exactly is TOO_LARGE", () => {
  const large = { ...noTotals, current: Number.MAX_SAFE_INTEGER };
  const more = contributionOf("2026-03", [{ lines: [{ period: "2026-03", kind: "charge", amount: 1 }] }]);
  expect(codeOf(() => addContribution(large, more))).toBe("TOO_LARGE");
  expect(() => addContribution(large, more)).toThrow("The amounts of the run are too large.");
});

test("a run sums up by category, and by what is for its month, for earlier ones or an impairment", () => {
  const charge = (period: string, amount: number) => ({ period, kind: "charge" as const, amount });
  const assets = [
    { categoryId: "cat_2", lines: [charge("2026-02", 3), charge("2026-03", 5)] },
    { categoryId: "cat_1", lines: [{ ...charge("2026-03", 7), kind: "impairment" as const }] },
    { lines: [charge("2026-03", 11)] },
    { categoryId: "cat_3", lines: [] },
  ];
  const { totals, amounts } = contributionOf("2026-03", assets);
  expect(totals).toEqual({ assets: 3, lines: 4, current: 16, catchUp: 3, impairment: 7 });
  expect(amounts).toEqual({ "|charge": 11, "cat_1|impairment": 7, "cat_2|charge": 8 });
  const entry = (categoryId: string | undefined, debitAccount: string, amount: number) => ({
    ...{ categoryId, debitAccount, creditAccount: "accumulated_depreciation", amount, bookedIn: undefined },
  });
  expect(journalOfRun(amounts)).toEqual([
    entry("cat_1", "impairment_loss", 7),
    entry("cat_2", "depreciation_expense", 8),
    entry(undefined, "depreciation_expense", 11),
  ]);
});
