import { describe, expect, test } from "vitest";
import { type Account, disposalJournal, type JournalEntry, journalOf, mergeJournal } from "./journal.ts";

const where = { categoryId: "cat_1", bookedIn: "2027-05" };
const entry = (debitAccount: Account, creditAccount: Account, amount: number): JournalEntry => ({
  ...{ ...where, debitAccount, creditAccount, amount },
});

describe("the entry of a row", () => {
  test.each([
    ["charge", "depreciation_expense"],
    ["disposal", "depreciation_expense"],
    ["impairment", "impairment_loss"],
  ] as const)("of kind %s debits %s", (kind, expense) => {
    expect(journalOf([{ ...where, kind, amount: 70 }])).toEqual([
      entry(expense, "accumulated_depreciation", 70),
    ]);
  });

  test.each([
    ["reversal", "depreciation_expense"],
    ["disposal", "depreciation_expense"],
    ["impairment", "impairment_loss"],
  ] as const)("of kind %s that is negative credits %s", (kind, expense) => {
    expect(journalOf([{ ...where, kind, amount: -70 }])).toEqual([
      entry("accumulated_depreciation", expense, 70),
    ]);
  });

  test("of 0 is none", () => {
    expect(journalOf([{ ...where, kind: "charge", amount: 0 }])).toEqual([]);
  });
});

describe("the journal of a disposal takes the asset out of the accounts", () => {
  const disposed = (accumulated: number, nbv: number, proceeds: number) =>
    disposalJournal({ ...where, accumulated, nbv, proceeds });
  const out = entry("accumulated_depreciation", "asset_cost", 400);

  test.each([
    ["sold at its NBV", 600, [entry("proceeds_clearing", "asset_cost", 600)]],
    [
      "sold with a gain",
      750,
      [entry("proceeds_clearing", "asset_cost", 600), entry("proceeds_clearing", "gain_on_disposal", 150)],
    ],
    [
      "sold with a loss",
      500,
      [entry("proceeds_clearing", "asset_cost", 500), entry("loss_on_disposal", "asset_cost", 100)],
    ],
    ["scrapped", 0, [entry("loss_on_disposal", "asset_cost", 600)]],
  ])("%s", (_case, proceeds, entries) => {
    expect(disposed(400, 600, proceeds)).toEqual([out, ...entries]);
  });

  test("credits its whole cost, and what it debits equals what it credits", () => {
    for (const proceeds of [0, 599, 600, 601]) {
      const cost = disposed(400, 600, proceeds).filter(({ creditAccount }) => creditAccount === "asset_cost");
      expect(cost.reduce((sum, { amount }) => sum + amount, 0)).toBe(1_000);
    }
  });
});

test("entries of one month, category and pair of accounts are one, in order of first appearance", () => {
  const charge = entry("depreciation_expense", "accumulated_depreciation", 10);
  const others: JournalEntry[] = [
    { ...charge, bookedIn: "2027-06" },
    { ...charge, bookedIn: undefined },
    { ...charge, categoryId: "cat_2" },
    { ...charge, debitAccount: "impairment_loss" },
    { ...charge, creditAccount: "asset_cost" },
  ];
  expect(mergeJournal([charge, ...others, { ...charge, amount: 5 }, ...others])).toEqual([
    { ...charge, amount: 15 },
    ...others.map((one) => ({ ...one, amount: 20 })),
  ]);
});
