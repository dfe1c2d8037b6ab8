import fc from "fast-check";
import { expect, test } from "vitest";
import { formatOf } from "./file-start.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ["name,number\n", { separator: ",", start: 0, headerRow: 1 }],
  ["name;number\r\n1,5;2", { separator: ";", start: 0, headerRow: 1 }],
  ["name\tnumber", { separator: "\t", start: 0, headerRow: 1 }],
  ['"a,b,c";number\n', { separator: ";", start: 0, headerRow: 1 }],
  ["name", { separator: ",", start: 0, headerRow: 1 }],
  ["", { separator: ",", start: 0, headerRow: 1 }],
  ["\uFEFFname;number", { separator: ";", start: 3, headerRow: 1 }],
  ["sep=;\r\nname,1;number", { separator: ";", start: 7, headerRow: 2 }],
])("the separator of %j is the one that its header has most", (text, format) => {
  expect(formatOf(bytes(text))).toEqual(format);
});

test.each([
  ["UTF-16", [0xff, 0xfe, 0x6e, 0x00]],
  ["a workbook", [0x50, 0x4b, 0x03, 0x04]],
  ["a PDF", [0x25, 0x50, 0x44, 0x46]],
  ["binary", [0x61, 0x00, 0x62]],
])("%s is refused with a reason", (_name, content) => {
  expect(formatOf(Uint8Array.from(content))).toEqual({ problem: expect.stringContaining("CSV in UTF-8") });
});

test("any bytes have a format or a reason", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (content) => {
      const format = formatOf(content);
      return "problem" in format || [",", ";", "\t"].includes(format.separator);
    }),
  );
});
