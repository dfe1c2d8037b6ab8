import { expect, test } from "vitest";
import { hasLoneSurrogate } from "./lone-surrogates.ts";

const has = (text: string) => hasLoneSurrogate(text, JSON.parse(text));

test.each([
  String.raw`"\ud800"`,
  String.raw`"a\uDFFFb"`,
  String.raw`{"a":[1,{"b":"\udc00\ud800"}]}`,
  String.raw`{"\ud800":1}`,
])("%s has a lone surrogate", (text) => {
  expect(has(text)).toBe(true);
});

test.each([
  String.raw`"\ud83d\ude00"`,
  String.raw`"\\ud800"`,
  String.raw`{"\ud83d\ude00":["\u00e9",null,1,true]}`,
  '"😀"',
])("%s has none", (text) => {
  expect(has(text)).toBe(false);
});
