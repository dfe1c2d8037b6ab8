import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import { DisposalSchema, DisposalStatus } from "@asset-register/proto/assetregister/finance/v1/disposal_pb";
import { DisposalMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { resource } from "../http/resource.ts";
import { id, like, month, nullable } from "../http/schemas.ts";

const amount = (description: string, example: number) => Type.Number({ description, examples: [example] });

export const depreciationDisposal = resource(DisposalSchema, "DepreciationDisposal", {
  id: id("dsp"),
  asset_id: id("ast"),
  book: enumOf(Book),
  date: Type.String({ format: "date", description: "The day of the disposal", examples: ["2026-01-31"] }),
  method: enumOf(DisposalMethod),
  proceeds: amount("0 without proceeds", 1000),
  status: {
    ...enumOf(DisposalStatus, "accounted"),
    description: "`pending` for a moment, and while a run of the book is being posted",
  },
  nbv_at_disposal: nullable(amount("Net book value; null while it is pending", 900)),
  accumulated: nullable(amount("Depreciation up to the disposal", 300)),
  gain_loss: nullable(amount("Proceeds less the net book value", 100)),
  booked_in: nullable({ ...like("2026-01"), description: "The month in which it is reported" }),
  journal: Type.Array(
    Type.Object({
      category_id: nullable(id("cat", "Null for assets without a category")),
      debit_account: like("accumulated_depreciation"),
      credit_account: like("asset_cost"),
      amount: amount("Never negative", 300),
      booked_in: nullable({ ...like("2026-01"), description: "The month in which it is reported" }),
    }),
    { description: "Empty while it is pending" },
  ),
});

export const disposalFilters = {
  book: Type.Optional(enumOf(Book)),
  from: Type.Optional(month("Only those that are booked in this month or later")),
  to: Type.Optional(month("Only those that are booked in this month or earlier")),
};
