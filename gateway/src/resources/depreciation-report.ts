import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import { DepreciationReportSchema } from "@asset-register/proto/assetregister/finance/v1/depreciation_report_pb";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { resource } from "../http/resource.ts";
import { id, like, month, nullable } from "../http/schemas.ts";

const amount = (description: string, example: number) => Type.Number({ description, examples: [example] });
const count = (description: string) => Type.Integer({ description, examples: [12] });

const category = {
  category_id: nullable(id("cat", "Null for the assets that have none")),
  name: nullable(like("Laptops")),
};

/** The amounts booked in a range of months, by category. */
export const depreciationReport = resource(DepreciationReportSchema, "DepreciationReport", {
  from: month("First month"),
  to: month("Last month"),
  books: Type.Array(
    Type.Object({
      book: enumOf(Book),
      rows: Type.Array(
        Type.Object({
          ...category,
          charged: amount("Charges, with those up to the date of a disposal", 1249.9),
          impaired: amount("Impairments", 0),
          reversed: amount("Charges for months after a disposal, given back", 0),
          disposed: amount("Net book value that disposals took out", 900),
          nbv: amount("Net book value at the end of `to`", 12_499),
        }),
      ),
      disposals: Type.Object({
        count: count("Number of disposals"),
        proceeds: amount("Sum of the proceeds", 1000),
        gain_loss: amount("Proceeds less the net book values", 100),
      }),
    }),
  ),
  difference: Type.Array(Type.Object({ ...category, amount: amount("At the end of `to`", -50) }), {
    description: "Net book value of `book` less that of `tax`. Empty if `book` is given",
  }),
  pending_write_off: Type.Object(
    {
      count: count("Number of assets"),
      nbv: amount("Sum of their net book values in `book`", 420),
      assets: Type.Array(id("ast"), { description: "The first 1000" }),
    },
    { description: "Assets that a stock-take has written off and that are not disposed of" },
  ),
});

export const depreciationReportQuery = {
  book: Type.Optional({ ...enumOf(Book), description: "Both by default" }),
  from: Type.Optional(month("First month; by default that of the fiscal year of `to`")),
  to: Type.Optional(month("Last month; the present one by default")),
};
