import { AppError } from "@asset-register/runtime";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  assertCanCreate,
  assertCanDiscard,
  assertCanPost,
  assertFresh,
  noTotals,
  type RunStatus,
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
});
