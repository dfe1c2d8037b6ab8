import { expect, test } from "vitest";
import { escapeHtml, oneLine } from "./user-text.ts";

test("a text of a user becomes one line: control characters and line ends are spaces", () => {
  expect(oneLine(" Tür\r\nBcc: eve@example.com\u2028门\u0000 ")).toBe("Tür Bcc: eve@example.com 门");
});

test("in HTML a text of a user is escaped", () => {
  expect(escapeHtml(`<b title="x">Ada & 'Grace'\n</b>`)).toBe(
    "&lt;b title=&quot;x&quot;&gt;Ada &amp; &#39;Grace&#39; &lt;/b&gt;",
  );
});
