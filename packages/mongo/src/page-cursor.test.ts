import { AppError } from "@asset-register/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";

describe("a cursor", () => {
  it("gives back the id that it was made of", () => {
    const id = fc.string({ minLength: 1, maxLength: 60, unit: "grapheme-ascii" });
    fc.assert(
      fc.property(id, (value) => {
        expect(decodeCursor(encodeCursor(value))).toBe(value);
      }),
    );
  });

  it("that nobody was given is the caller's mistake on the field `cursor`, whatever it is", () => {
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

  it.each(["", "YTI=", "YT I", "%%%", "_w", encodeCursor("a".repeat(129))])("refuses %j", (text) => {
    expect(() => decodeCursor(text)).toThrow(AppError);
  });
});
