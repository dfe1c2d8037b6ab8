import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeFeedCursor, encodeFeedCursor, type FeedPlace, feedMark } from "./feed-cursor.ts";

const id = (prefix: string) => fc.stringMatching(/^[0-9a-hjkmnp-z]{26}$/).map((text) => `${prefix}_${text}`);

const place: fc.Arbitrary<FeedPlace> = fc.oneof(
  fc.record({ workspaceId: id("wsp"), seq: fc.constant(0), mark: fc.constant("") }),
  fc.record({
    workspaceId: id("wsp"),
    seq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    mark: id("msg").map(feedMark),
  }),
);

describe("feed cursors", () => {
  test("a cursor decodes to the place that it was made from", () => {
    fc.assert(
      fc.property(place, (one) => {
        expect(decodeFeedCursor(one.workspaceId, encodeFeedCursor(one))).toEqual(one);
      }),
    );
  });

  test("a cursor of another workspace is refused", () => {
    fc.assert(
      fc.property(place, id("wsp"), (one, other) => {
        fc.pre(other !== one.workspaceId);
        expect(decodeFeedCursor(other, encodeFeedCursor(one))).toBeUndefined();
      }),
    );
  });

  test("a cursor with one changed, missing or additional character never decodes to the same place", () => {
    const changed = fc.tuple(place, fc.nat(), fc.string({ maxLength: 2 })).map(([one, at, text]) => {
      const cursor = encodeFeedCursor(one);
      const index = at % cursor.length;
      return { one, cursor, altered: cursor.slice(0, index) + text + cursor.slice(index + 1) };
    });
    fc.assert(
      fc.property(changed, ({ one, cursor, altered }) => {
        fc.pre(altered !== cursor);
        expect(decodeFeedCursor(one.workspaceId, altered)).not.toEqual(one);
      }),
    );
  });

  test("any other text is refused, without an error", () => {
    const json = (value: unknown) => Buffer.from(JSON.stringify(value), "utf8").toString("base64url");
    const foreign = fc.oneof(fc.string(), fc.jsonValue().map(json), fc.array(fc.jsonValue()).map(json));
    fc.assert(
      fc.property(foreign, (text) => {
        expect(decodeFeedCursor("wsp_1", text)).toBeUndefined();
      }),
    );
    for (const parts of [
      ["wsp_1", 0, "abcdefgh"],
      ["wsp_1", 1, ""],
      ["wsp_1", -1, "abcdefgh"],
      ["wsp_1", 1.5, "abcdefgh"],
      ["wsp_1", 1, "abcdefgh", 1],
      [{ $gt: "" }, 1, "abcdefgh"],
    ]) {
      expect(decodeFeedCursor("wsp_1", json(parts))).toBeUndefined();
    }
  });

  test("the mark is 8 characters of the part of the id that differs", () => {
    expect(feedMark("msg_0123456789abcdefghjkmnpqrs")).toBe("01234567");
  });
});
