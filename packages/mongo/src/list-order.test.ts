import { describe, expect, it } from "vitest";
import { after, driverSort, parseOrder, placeOf, requireOrder } from "./list-order.ts";

const sorts = { updated_at: "updatedAt", name: "nameKey" };
const order = (sort: string) => requireOrder(sort, sorts);

describe("the order of a list", () => {
  it("each name has a direction, and `id` needs no entry", () => {
    expect(order("id")).toEqual({ sort: "id", field: "_id", direction: 1 });
    expect(order("-id")).toEqual({ sort: "-id", field: "_id", direction: -1 });
    expect(order("-updated_at")).toEqual({ sort: "-updated_at", field: "updatedAt", direction: -1 });
  });

  it.each(["", "-", "--id", "updatedAt", "nameKey", "_id", "constructor", "id,name", " id"])(
    "the unknown sort %j is invalid on the field `sort`",
    (sort) => {
      expect(parseOrder(sort, sorts)).toBeUndefined();
      expect(() => order(sort)).toThrow(
        expect.objectContaining({
          kind: "invalid",
          violations: [
            { field: "sort", message: "must be one of id, updated_at, name, or - and one of them" },
          ],
        }),
      );
    },
  );

  it("the id breaks ties in the same direction", () => {
    expect(driverSort(order("name"))).toEqual({ nameKey: 1, _id: 1 });
    expect(driverSort(order("-name"))).toEqual({ nameKey: -1, _id: -1 });
    expect(driverSort(order("-id"))).toEqual({ _id: -1 });
  });

  it("the next records have a higher value, or the same value and a higher id", () => {
    const last = { id: "a1", value: "saw" };
    expect(after(order("id"), last)).toEqual({ _id: { $gt: "a1" } });
    expect(after(order("name"), last)).toEqual({
      $or: [{ nameKey: { $gt: "saw" } }, { nameKey: "saw", _id: { $gt: "a1" } }],
    });
    expect(after(order("-name"), last)).toEqual({
      $or: [{ nameKey: { $lt: "saw" } }, { nameKey: "saw", _id: { $lt: "a1" } }],
    });
  });

  it("a record without a value in the field of the sort is an error of the program", () => {
    expect(placeOf(order("name"), { _id: "a1", nameKey: "saw" })).toEqual({ id: "a1", value: "saw" });
    expect(() => placeOf(order("name"), { _id: "a1" })).toThrow("a1 has no value in nameKey");
  });
});
