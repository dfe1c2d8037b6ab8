import {
  AssetDepreciationSchema,
  BookDepreciationSchema,
  ScheduleLineKind,
  ScheduleLineStatus,
} from "@asset-register/proto/assetregister/finance/v1/asset_depreciation_pb";
import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { resource } from "../http/resource.ts";
import { id, like, nullable } from "../http/schemas.ts";
import { depreciationDisposal } from "./depreciation-disposal.ts";
import { depreciationProfile } from "./depreciation-profile.ts";

const amount = (description: string, example: number) => Type.Number({ description, examples: [example] });

const bookDepreciation = resource(
  BookDepreciationSchema,
  "BookDepreciation",
  {
    book: enumOf(Book),
    profile: nullable(depreciationProfile.schema),
    nbv: nullable(amount("Without a profile the cost; 0 once the disposal is accounted", 900)),
    accumulated: amount("With the opening", 300),
    disposal: nullable(depreciationDisposal.schema),
    lines: Type.Array(
      Type.Object({
        period: Type.Object({
          year: Type.Integer({ examples: [2026] }),
          month: Type.Integer({ minimum: 1, maximum: 12, examples: [4] }),
        }),
        kind: enumOf(ScheduleLineKind),
        status: enumOf(ScheduleLineStatus),
        opening_nbv: amount("Before the line", 900),
        amount: amount("Negative when it gives back what was charged", 100),
        closing_nbv: amount("After the line", 800),
        derivation: {
          ...like("straight line: (1,200.00 - 0.00 - 300.00 charged) x 1 / 9 months left = 100.00"),
          description: "The calculation in words and numbers",
        },
      }),
      { description: "Posted ones in the order in which they were booked, then the forecast" },
    ),
  },
  {
    profile: ({ profile }, digits) =>
      profile === undefined ? null : depreciationProfile.present(profile, digits),
    disposal: ({ disposal }, digits) =>
      disposal === undefined ? null : depreciationDisposal.present(disposal, digits),
  },
);

/** The past and forecast charges of an asset. */
export const assetDepreciation = resource(
  AssetDepreciationSchema,
  "AssetDepreciation",
  {
    asset_id: id("ast"),
    books: Type.Array(bookDepreciation.schema),
    difference: nullable(
      amount("Net book value of `book` less that of `tax`; null unless the asset has a profile in each", -50),
    ),
  },
  { books: ({ books }, digits) => books.map((book) => bookDepreciation.present(book, digits)) },
);

export const assetDepreciationQuery = {
  book: Type.Optional({ ...enumOf(Book), description: "Both by default" }),
};
