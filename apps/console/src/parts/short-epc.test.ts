import { expect, test } from "vitest";
import { shortEpc } from "./short-epc.ts";

test.each([
  ["3034257BF400B7800004CB2F", "3034…CB2F"],
  ["1234567890", "1234…7890"],
  ["123456789", "123456789"],
  ["", ""],
])("%s is shown as %s", (epc, shown) => {
  expect(shortEpc(epc)).toBe(shown);
});
