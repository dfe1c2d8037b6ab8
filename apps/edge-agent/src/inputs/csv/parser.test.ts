import fc from "fast-check";
import { expect, test } from "vitest";
import { type Column, parse } from "./parser.ts";

const EPC = "303435FC8803D056D15B963F";
const columns: Column[] = ["ts", "ignore", "epc", "antenna", "rssi"];
const parseText = (text: string, separator = ",") => parse(Buffer.from(text), { columns, separator });

test("lines give reads by the order of the columns, with any separator and with quotes", () => {
  const read = { epc: EPC, at: Date.UTC(2026, 10, 27, 8, 30), antenna: 2, rssi: -61.5 };
  expect(parseText(`2026-11-27T08:30:00Z,dock,${EPC},2,-61.5\r\n`).reads).toEqual([read]);
  expect(parseText(`"2026-11-27T08:30:00Z";"a;""b""";"${EPC}"; 2 ;-61.5`, ";").reads).toEqual([read]);
});

test("missing and wrong fields are left out; a line of names and empty lines are no reads", () => {
  const { reads, unreadable } = parseText(`ts,place,EPC,antenna,rssi\n\n,,${EPC}\nnow,,${EPC},left,strong\n`);
  expect(reads).toEqual([{ epc: EPC }, { epc: EPC }]);
  expect(unreadable).toEqual([]);
});

test("a line without an EPC is unreadable, and the other lines are read", () => {
  const { reads, unreadable } = parseText(`a,b\n,,${EPC}\n,,12\n`);
  expect(reads).toHaveLength(1);
  expect(unreadable).toHaveLength(2);
});

test("any text never throws, and each line of unquoted fields is counted once", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseText(text)));
  const field = fc.string().map((text) => `x${text.replaceAll(/["\r\n]/g, "")}`);
  fc.assert(
    fc.property(
      fc.array(fc.array(field, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 10 }),
      (lines) => {
        const { reads, unreadable } = parseText(lines.map((fields) => fields.join(",")).join("\n"));
        expect(reads.length + unreadable.length).toBe(lines.length);
      },
    ),
  );
});
