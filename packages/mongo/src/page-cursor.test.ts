import { limits } from "@asset-register/proto/limits";
import { AppError } from "@asset-register/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor, listKey, type Position } from "./page-cursor.ts";

const list = listKey("db.assets", "w1", { deleted: false });
const first = { sort: "id", page: 2, id: "ast_1" };

const time = fc.date({ noInvalidDate: true });
const position: fc.Arbitrary<Position> = fc.record(
  {
    sort: fc.constantFrom("id", "-id", "name", "-updated_at"),
    page: fc.integer({ min: 1, max: 1_000_000 }),
    id: fc.string({ minLength: 1, maxLength: 128 }),
    value: fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), time),
    readAt: time,
  },
  { requiredKeys: ["sort", "page", "id"] },
);

const refused = (text: string, key = list) => {
  try {
    decodeCursor(key, text);
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ kind: "invalid", violations: [{ field: "cursor" }] });
    return true;
  }
};

describe("page cursor", () => {
  it("an encoded position decodes to the same position", () => {
    fc.assert(
      fc.property(position, (value) => {
        // JSON has no negative zero.
        fc.pre(!Object.is(value.value, -0));
        expect(decodeCursor(list, encodeCursor(list, value))).toEqual(value);
      }),
    );
  });

  it("any other text is refused as invalid on the field `cursor`", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json().map(encoded)), (text) => {
        if (!refused(text)) expect(encodeCursor(list, decodeCursor(list, text))).toBe(text);
      }),
    );
  });

  it.each([
    ["empty", ""],
    ["padded", `${encodeCursor(list, first)}=`],
    ["with an unknown character", `${encodeCursor(list, first)}%`],
    ["no JSON", "YTI"],
    ["no list", encoded("{}")],
    ["with an id that is too long", encodeCursor(list, { ...first, id: "a".repeat(193) })],
    ["with an operator as value", encoded(JSON.stringify([list, "name", 2, "ast_1", { $ne: 1 }, null]))],
    ["with an operator as id", encoded(JSON.stringify([list, "id", 2, { $ne: 1 }, null, null]))],
    ["with a time that does not exist", encoded(`["${list}","name",2,"ast_1",[1e999],null]`)],
    ["of page 0", encodeCursor(list, { ...first, page: 0 })],
    ["with more parts", encoded(JSON.stringify([list, "id", 2, "ast_1", null, null, 1]))],
  ])("a cursor that is %s is refused", (_what, text) => {
    expect(refused(text)).toBe(true);
  });

  it("a cursor of another collection, workspace or filter is refused", () => {
    const others = [
      listKey("db.tags", "w1", { deleted: false }),
      listKey("db.assets", "w2", { deleted: false }),
      listKey("db.assets", "w1", { deleted: true }),
      listKey("db.assets", "w1", { deleted: false, categoryId: "cat_1" }),
      listKey("db.assets", "w1", { deleted: "false" }),
    ];
    expect(new Set([list, ...others]).size).toBe(6);
    for (const other of others) expect(refused(encodeCursor(other, first))).toBe(true);
  });

  it("the longest texts make a cursor that the surfaces accept", () => {
    const longest = { id: "x".repeat(64), value: "\u{10400}".repeat(64), readAt: new Date(8.64e15) };
    const cursor = encodeCursor(list, { ...longest, sort: "-updated_at", page: 1_000_000_000 });
    expect(cursor.length).toBeLessThanOrEqual(limits.cursor);
  });
});

function encoded(text: string): string {
  return Buffer.from(text, "utf8").toString("base64url");
}
