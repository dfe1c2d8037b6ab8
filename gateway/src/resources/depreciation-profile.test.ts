import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import {
  DepreciationProfileSchema,
  SaveProfileRequestSchema,
} from "@asset-register/proto/assetregister/finance/v1/depreciation_profile_pb";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { depreciationProfile, toSaveProfile } from "./depreciation-profile.ts";

const EUR = { currencyDigits: 2, workspace: { currency: "EUR" } };
const eur = (minor: bigint) => ({ minorUnits: minor, currency: "EUR" });

describe("a depreciation profile in HTTP", () => {
  it("amounts are read from their decimal text, left out fields set nothing", () => {
    const input = { book: "tax", cost: "90071992547409.91", impairment: { amount: 0.1, on: "2026-02-01" } };
    const message = create(SaveProfileRequestSchema, toSaveProfile("ast_1", input as never, EUR));
    expect(message).toMatchObject({ assetId: "ast_1", book: Book.TAX });
    expect(message.fields).toMatchObject({
      cost: eur(9_007_199_254_740_991n),
      impairment: { amount: eur(10n), on: "2026-02-01" },
      endHeldForSale: false,
    });
    expect(message.fields?.salvage).toBeUndefined();
  });

  it("null ends the time held for sale, a date begins it", () => {
    const fieldsOf = (held_for_sale_on: string | null) =>
      create(SaveProfileRequestSchema, toSaveProfile("ast_1", { held_for_sale_on }, EUR)).fields;
    expect(fieldsOf(null)).toMatchObject({ endHeldForSale: true });
    expect(fieldsOf("2026-06-01")).toMatchObject({ endHeldForSale: false, heldForSaleOn: "2026-06-01" });
  });

  it("a change shows only what it changed; null was cleared", () => {
    const at = timestampFromDate(new Date(0));
    const change = (id: string, fields: object) => ({ id, fields, effectiveOn: "2026-02-01", at });
    const profile = create(DepreciationProfileSchema, {
      ...{ id: "prf_1", assetId: "ast_1", book: Book.BOOK, method: 1, convention: 1 },
      ...{ cost: eur(120_000n), salvage: eur(0n), openingAccumulated: eur(0n) },
      ...{ inServiceDate: "2026-01-01", createdAt: at, updatedAt: at, rev: 3 },
      changes: [
        change("chg_1", { cost: eur(120_000n), lifeMonths: 12 }),
        change("chg_2", { endHeldForSale: true, impairment: { amount: eur(5n), on: "2026-02-03" } }),
      ],
    });
    expect(depreciationProfile.present(profile, 2)).toMatchObject({
      ...{ book: "book", method: "straight_line", cost: 1200, factor: null, asset_rev: null },
      changes: [
        { fields: { cost: 1200, life_months: 12 }, by: null, at: "1970-01-01T00:00:00.000Z" },
        { fields: { held_for_sale_on: null, impairment: { amount: 0.05, on: "2026-02-03" } } },
      ],
    });
    const [first] = depreciationProfile.present(profile, 2).changes;
    expect(Object.keys(first?.fields ?? {})).toEqual(["cost", "life_months"]);
  });
});
