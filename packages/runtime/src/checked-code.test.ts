import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCheckedCode, newCheckedCode } from "./checked-code.ts";

const ALPHABET = [..."0123456789ABCDEFGHJKMNPQRSTVWXYZ"];
const LENGTH = 12;
const code = fc.noShrink(fc.constant(undefined).map(() => newCheckedCode(LENGTH)));
const place = fc.nat(LENGTH - 1);
const replaced = (text: string, at: number, by: string) =>
  text.slice(0, at) + by + text.slice(at + by.length);

describe("codes with a check character", () => {
  it("have the length and alphabet, and are valid", () => {
    fc.assert(
      fc.property(code, (text) => {
        expect(text).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/);
        expect(isCheckedCode(text, LENGTH)).toBe(true);
      }),
    );
  });

  it("the check character is that of Luhn's algorithm, computed by hand", () => {
    // Values 1 2 3: the doubled ones, from the right, are 3 and 1, so the sum is 6 + 2 + 2 = 10 and 22 is missing to 32.
    expect(isCheckedCode("123P", 4)).toBe(true);
    // Z is 31: doubled 62, its digits of base 32 are 1 and 30; 1 is missing to 32.
    expect(isCheckedCode("Z1", 2)).toBe(true);
  });

  it("each single wrong character is found", () => {
    fc.assert(
      fc.property(code, place, fc.constantFrom(...ALPHABET), (text, at, other) => {
        fc.pre(text[at] !== other);
        expect(isCheckedCode(replaced(text, at, other), LENGTH)).toBe(false);
      }),
    );
  });

  it("each swap of two unlike neighbours is found, but of 0 and Z", () => {
    fc.assert(
      fc.property(code, fc.nat(LENGTH - 2), (text, at) => {
        const [left = "", right = ""] = [text[at], text[at + 1]];
        fc.pre(left !== right);
        const swapped = replaced(text, at, right + left);
        expect(isCheckedCode(swapped, LENGTH)).toBe([left, right].sort().join("") === "0Z");
      }),
    );
  });

  it("each pair of neighbours keeps this rule, not only those of random codes", () => {
    for (const left of ALPHABET) {
      for (const right of ALPHABET) {
        const check = ALPHABET.find((one) => isCheckedCode(left + right + one, 3)) ?? "";
        expect(check).not.toBe("");
        if (left === right) continue;
        const excepted = [left, right].sort().join("") === "0Z";
        expect(isCheckedCode(right + left + check, 3)).toBe(excepted);
      }
    }
  });

  it("another length, small letters and characters outside the alphabet are not valid", () => {
    const text = newCheckedCode(LENGTH);
    for (const bad of ["", `${text}0`, text.slice(1), text.toLowerCase().replace(/^./, "a"), `ILOU${text}`])
      expect(isCheckedCode(bad, LENGTH)).toBe(false);
    expect(isCheckedCode("I".repeat(LENGTH), LENGTH)).toBe(false);
  });
});
