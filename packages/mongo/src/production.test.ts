import { describe, expect, it } from "vitest";
import { isReplicated, weakSettings } from "./production.ts";

describe("settings in production", () => {
  it.each([
    ["mongodb://a,b,c/?replicaSet=rs0"],
    ["mongodb+srv://user:pass@cluster/?retryWrites=true&w=majority&journal=true"],
    ["mongodb://a/?readConcernLevel=majority&directConnection=false"],
  ])("%s has no weak settings", (url) => expect(weakSettings(url)).toEqual([]));

  it.each([
    ["mongodb://a/?w=1", "w=1"],
    ["mongodb://a/?w=0", "w=0"],
    ["mongodb://a/?W=2", "W=2"],
    ["mongodb://a/?journal=false", "journal=false"],
    ["mongodb://a/?readConcernLevel=local", "readConcernLevel=local"],
    ["mongodb://a/?retryWrites=false", "retryWrites=false"],
    ["mongodb://a/?directConnection=true", "directConnection=true"],
  ])("%s has the weak setting %s", (url, setting) => expect(weakSettings(url)).toEqual([setting]));

  it("a replica set and a sharded cluster count as replicated, a standalone server does not", () => {
    expect(isReplicated({ setName: "rs0" })).toBe(true);
    expect(isReplicated({ msg: "isdbgrid" })).toBe(true);
    expect(isReplicated({ isWritablePrimary: true })).toBe(false);
  });
});
