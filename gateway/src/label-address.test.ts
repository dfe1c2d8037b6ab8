import { newCheckedCode } from "@asset-register/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCodeOf } from "./label-address.ts";

const codeOf = createCodeOf("https://assets.example.com");
const made = newCheckedCode(12);

describe("the address of a label", () => {
  it("of PUBLIC_URL stands for any code, percent-encoded", () => {
    for (const code of [made, "AR-0042", "Prüfer 7/b", "50%", "https://x.example/a?b=1#c"])
      expect(codeOf(`https://assets.example.com/t/${encodeURIComponent(code)}`)).toBe(code);
    expect(codeOf(" HTTPS://Assets.Example.com:443/t/AR-1 ")).toBe("AR-1");
  });

  it("of an earlier domain stands for a code with a valid check character, and for no other", () => {
    expect(codeOf(`http://old.example.org/t/${made}`)).toBe(made);
    expect(codeOf(`https://old.example.org/register/t/${made}`)).toBe(made);
    const swapped = made[0] === "0" ? `1${made.slice(1)}` : `0${made.slice(1)}`;
    for (const other of ["AR-0042", swapped, `${made}0`, made.toLowerCase().replace(/^./, "a")]) {
      const address = `https://old.example.org/t/${other}`;
      expect(codeOf(address)).toBe(address);
    }
  });

  it("of PUBLIC_URL with a path has this path", () => {
    const below = createCodeOf("https://example.com/assets");
    expect(below("https://example.com/assets/t/AR-1")).toBe("AR-1");
    expect(below("https://example.com/t/AR-1")).toBe("https://example.com/t/AR-1");
  });

  it("other texts stay as they are: codes, EPCs, other pages, malformed addresses", () => {
    const texts = ["AR-0042", made, `/t/${made}`, "urn:epc:id:sgtin:0614141.812345.6789", ""];
    const pages = [
      "",
      "/",
      "/t/",
      "/t/AR-1/",
      "/t/a/b",
      "/x/AR-1",
      "/t/AR-1?x=1",
      "/t/AR-1#x",
      "/t/%E0%A4%A",
    ];
    for (const text of [...texts, ...pages.map((page) => `https://assets.example.com${page}`)])
      expect(codeOf(text)).toBe(text);
  });

  it("each code is the code of its own address", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(text, (code) => {
        // A browser, and so a scanner's app, removes such segments.
        fc.pre(![".", ".."].includes(code));
        expect(codeOf(`https://assets.example.com/t/${encodeURIComponent(code)}`)).toBe(code);
      }),
    );
  });
});
