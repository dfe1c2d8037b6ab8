import fc from "fast-check";
import { expect, it } from "vitest";
import { repeatsName } from "./json-names.ts";

const repeats = (text: string) => repeatsName(Buffer.from(text), JSON.parse(text));

it("a text that JSON.stringify wrote repeats no name", () => {
  fc.assert(fc.property(fc.json(), (text) => !repeats(text)));
});

it("a name that is written twice is found at any depth, among any values", () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (name, value, other) => {
      const pair = `${JSON.stringify(name)}:${JSON.stringify(other)}`;
      const around = JSON.stringify(value);
      expect(repeats(`{${pair}, ${pair}}`)).toBe(true);
      expect(repeats(`[${around}, {"a": [{${pair}}, {${pair}, ${pair}}]}]`)).toBe(true);
      expect(repeats(`[${around}, {"a": [{${pair}}, {${pair}}]}]`)).toBe(false);
    }),
  );
});

it.each([
  ['{"a":":\\":","b":"{\\"a\\":1}"}', false],
  ['{"a\\\\":1,"a":2}', false],
  // The same name, written in two ways.
  ['{"a":1,"\\u0061":2}', true],
  ['{"__proto__":1,"constructor":2}', false],
  ['{"__proto__":1,"__proto__":2}', true],
  ["[".repeat(100_000) + "]".repeat(100_000), false],
])("%.40s: %s", (text, expected) => {
  expect(repeats(text)).toBe(expected);
});
