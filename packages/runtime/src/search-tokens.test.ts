import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryPrefixes, searchTokens } from "./search-tokens.ts";

describe("searchTokens", () => {
  it("splits at everything that is no letter or digit, and ignores case and width", () => {
    expect(searchTokens("AST-000042", "Dräger X-am® 2500", undefined)).toEqual([
      "ast",
      "000042",
      "dräger",
      "x",
      "am",
      "2500",
    ]);
    expect(searchTokens("ＡＢＣ abc Abc")).toEqual(["abc"]);
  });

  it("cuts words that an index has no use for", () => {
    expect(searchTokens("x".repeat(1000))).toEqual(["x".repeat(64)]);
  });
});

describe("queryPrefixes", () => {
  it("leaves out what another prefix implies, and keeps eight at most", () => {
    expect(queryPrefixes("dri drill DRI bosch")).toEqual(["drill", "bosch"]);
    expect(queryPrefixes("a1 b1 c1 d1 e1 f1 g1 h1 i1")).toHaveLength(8);
    expect(queryPrefixes(" .* $ ")).toEqual([]);
  });

  it("finds a record by any beginnings of its own words", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(name, name, fc.nat(), (first, second, cut) => {
        const tokens = searchTokens("AST-1", first, second);
        const q = searchTokens(first, second)
          .map((word) =>
            Array.from(word)
              .slice(0, 1 + (cut % 10))
              .join(""),
          )
          .join(" ");
        for (const prefix of queryPrefixes(q)) {
          expect(tokens.some((token) => token.startsWith(prefix))).toBe(true);
        }
      }),
    );
  });

  it("yields nothing that a pattern would read as its own", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (q) => {
        expect(queryPrefixes(q).join("")).not.toMatch(/[\\^$.|?*+()[\]{}/\-\s]/);
      }),
    );
  });
});
