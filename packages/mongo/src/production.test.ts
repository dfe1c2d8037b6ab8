import { describe, expect, it } from "vitest";
import { isReplicated, weakSettings } from "./production.ts";

describe("what production refuses", () => {
  it.each([
    ["mongodb://a,b,c/?replicaSet=rs0"],
    ["mongodb+srv://user:pass@cluster/?retryWrites=true&w=majority&journal=true"],
    ["mongodb://a/?readConcernLevel=majority&directConnection=false"],
  ])("nothing in %s", (url) => expect(weakSettings(url)).toEqual([]));

  it.each([
    ["mongodb://a/?w=1", "w=1"],
    ["mongodb://a/?w=0", "w=0"],
    ["mongodb://a/?W=2", "W=2"],
    ["mongodb://a/?journal=false", "journal=false"],
    ["mongodb://a/?readConcernLevel=local", "readConcernLevel=local"],
    ["mongodb://a/?retryWrites=false", "retryWrites=false"],
    ["mongodb://a/?directConnection=true", "directConnection=true"],
  ])("%s", (url, setting) => expect(weakSettings(url)).toEqual([setting]));

  it("a standalone server, which has no transactions", () => {
    expect(isReplicated({ setName: "rs0" })).toBe(true);
    expect(isReplicated({ msg: "isdbgrid" })).toBe(true);
    expect(isReplicated({ isWritablePrimary: true })).toBe(false);
  });
});
