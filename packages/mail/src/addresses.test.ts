import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAddress, parseAddresses } from "./addresses.ts";

describe("parseAddress", () => {
  test.each([
    ["ada@example.com", "ada@example.com"],
    [" Ada.Byron+x@EXAMPLE.com ", "Ada.Byron+x@example.com"],
    ["ada@bücher.example", "ada@xn--bcher-kva.example"],
    ["o'neil@example.co.uk", "o'neil@example.co.uk"],
  ])("%s is %s", (text, address) => {
    expect(parseAddress(text)).toEqual({ ok: true, address });
  });

  test.each([
    ...["", "ada", "@example.com", "ada@", "ada@localhost", "ada@127.0.0.1", "ada@[127.0.0.1]"],
    ...["a b@example.com", "Ada <ada@example.com>", '"a b"@example.com', "ä@example.com", ".a@example.com"],
    ...["a..b@example.com", "ada@-example.com", "ada@example..com", "ada@exa mple.com", "ada@example.com:25"],
    ...["a\r\nb@example.com", "ada@example.com\u0000", `${"a".repeat(65)}@example.com`],
    `a@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(60)}.${"f".repeat(20)}.com`,
  ])("%j is refused", (text) => {
    expect(parseAddress(text)).toMatchObject({ ok: false });
  });

  test("what is accepted is ASCII without control characters, spaces, commas and brackets, and stays the same", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.emailAddress(),
      fc.tuple(fc.string({ maxLength: 8 }), fc.domain()).map((parts) => parts.join("@")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseAddress(text);
        if (!parsed.ok) return;
        expect(parsed.address).toMatch(/^[\x21-\x7e]+$/);
        expect(parsed.address).not.toMatch(/[,<>()[\]\\"]/);
        expect(parseAddress(parsed.address)).toEqual(parsed);
      }),
    );
  });
});

describe("parseAddresses", () => {
  test("repeated addresses count once, and order is kept", () => {
    expect(parseAddresses("b@example.com, a@example.com,b@EXAMPLE.com", 2)).toEqual({
      ok: true,
      addresses: ["b@example.com", "a@example.com"],
    });
  });

  test("too many, an empty part or a line end are refused", () => {
    for (const text of ["a@example.com,b@example.com,c@example.com", "a@example.com,", "a@example.com\r\n"]) {
      expect(parseAddresses(text, 2)).toMatchObject({ ok: false });
    }
  });
});
