import { AppError } from "@asset-register/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";

describe("page cursor", () => {
  it("an encoded id decodes to the same id", () => {
    const id = fc.string({ minLength: 1, maxLength: 60, unit: "grapheme-ascii" });
    fc.assert(
      fc.property(id, (value) => {
        expect(decodeCursor(encodeCursor(value))).toBe(value);
      }),
    );
  });

  it("any text that is not an encoded id is refused as invalid on the field `cursor`", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          expect(encodeCursor(decodeCursor(text))).toBe(text);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect(error).toMatchObject({ kind: "invalid", violations: [{ field: "cursor" }] });
        }
      }),
    );
  });

  it.each(["", "YTI=", "YT I", "%%%", "_w", encodeCursor("a".repeat(129))])(
    "the malformed cursor %j is refused",
    (text) => {
      expect(() => decodeCursor(text)).toThrow(AppError);
    },
  );
});
