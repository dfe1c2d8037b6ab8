import { expect, test } from "vitest";
import { columnsOf, readTable, writeFailing, writeImport } from "./csv-table.ts";

test("the separator is found, names are unique, and the end of a file is no row", () => {
  const table = readTable('Name;Wert;;Name\r\n"a;b";1,5;x;y\r\n\r\nc;2\r\n;;;\r\n\r\n');
  expect(table).toMatchObject({ delimiter: ";", names: ["Name", "Wert", "C", "Name (2)"] });
  expect(table.rows).toEqual([["a;b", "1,5", "x", "y"], [""], ["c", "2"]]);
  expect(readTable("sep=\t\na;b;c\td\n1\t2").names).toEqual(["a;b;c", "d"]);
});

test("a file that was joined of several has rows with all ends of lines, and quoted ones stay in their cell", () => {
  const table = readTable('A,B\r\n1,"x\r\ny"\n2,z\r3,w\r\n');
  expect(table.rows).toEqual([
    ["1", "x\ny"],
    ["2", "z"],
    ["3", "w"],
  ]);
  expect(table.brokenRow).toBeUndefined();
});

test("a quotation mark that takes rows into its cell is named by its row", () => {
  const { rows, brokenRow } = readTable('A;B\n1;x\n2;"5" pipe\n3;y\n4;z', ";");
  expect(rows).toHaveLength(2);
  expect(brokenRow).toBe(3);
});

test("a long name of a column is cut between characters and has no space at its end", () => {
  expect(readTable(`${"x".repeat(149)} y,${"x".repeat(149)}📎y\n1,2`).names).toEqual([
    "x".repeat(149),
    `${"x".repeat(149)}📎`,
  ]);
});

test("cells beyond the header stay in both files: the API refuses the row, and nothing of it is lost", () => {
  const table = readTable("A;B\n1;2;3\n4;5;;", ";");
  const text = writeImport(table, [{ index: 0, kind: "text", format: undefined }]);
  expect(text.split("\r\n")).toEqual(['"A"', '"1","3"', '"4"']);
  expect(writeFailing(table, new Map([[2, "no"]]), "Why")).toContain('"1";"2";"no";"3"');
});

test("a column shows three different values, and how it writes numbers and days", () => {
  const table = readTable('A,B\nx,"1,5"\nx,\ny,"2,25"\nz,\nw,');
  expect(columnsOf(table)).toEqual([
    { name: "A", examples: ["x", "y", "z"], filled: 5, formats: { decimal: [], date: [] } },
    { name: "B", examples: ["1,5", "2,25"], filled: 2, formats: { decimal: ["comma"], date: [] } },
  ]);
});

test("the file for the API has the chosen columns, and its rows have their numbers", () => {
  const table = readTable("Nr;Weg;Preis;Datum\n1;a;1.000,5;31.12.2025\n;;;\n'-2;b;x;y");
  const text = writeImport(table, [
    { index: 0, kind: "text", format: undefined },
    { index: 2, kind: "decimal", format: "comma" },
    { index: 3, kind: "date", format: "dmy" },
  ]);
  expect(text.split("\r\n")).toEqual([
    '"Nr","Preis","Datum"',
    '"1","1000.5","2025-12-31"',
    "",
    '"\'-2","x","y"',
  ]);
});

test("the failing rows have their original cells, a reason, and no formula that a spreadsheet runs", () => {
  const table = readTable('Nr;Text\n1;ok\n2;=1+1\n3;"a;""b"""');
  const reasons = new Map([
    [3, "@reason"],
    [4, "two\nlines"],
  ]);
  expect(writeFailing(table, reasons, "Fehler")).toBe(
    `\ufeff"Nr";"Text";"Fehler"\r\n"2";"'=1+1";"'@reason"\r\n"3";"a;""b""";"two\nlines"\r\n`,
  );
});
