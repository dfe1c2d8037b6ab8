import fc from "fast-check";
import { expect, test } from "vitest";
import { createMapping, expressionProblem } from "./mapping.ts";

const EPC = "303435FC8803D056D15B963F";
const AT = Date.UTC(2026, 10, 27, 8, 30, 1);
const parse = (expression: string, ...documents: unknown[]) =>
  createMapping(expression)(Buffer.from(documents.map((value) => JSON.stringify(value)).join("\n")));

const PORTAL = 'tags.{ "epc": id, "ts": seen, "antenna": port, "rssi": signal / 10, "count": n }';

test("an expression makes reads of a vendor's own JSON, as one document or one on each line", async () => {
  const tag = { id: EPC.toLowerCase(), seen: "2026-11-27T08:30:01Z", port: "4", signal: -605, n: 3 };
  const read = { epc: EPC, at: AT, antenna: 4, rssi: -60.5, count: 3 };
  expect(await parse(PORTAL, { tags: [tag, tag] })).toEqual({ reads: [read, read], unreadable: [] });
  expect(await parse(PORTAL, { tags: [tag] }, { tags: tag })).toEqual({
    reads: [read, read],
    unreadable: [],
  });
});

test("a message in which the expression finds nothing is neither read nor unreadable", async () => {
  expect(await parse(PORTAL, { status: "ok" })).toEqual({ reads: [], unreadable: [] });
});

test("a result without an EPC and a result that is no object are unreadable, and the others are read", async () => {
  const { reads, unreadable } = await parse("$", [{ epc: EPC }, { ts: 1 }, "text", { epc: "12" }]);
  expect(reads).toEqual([{ epc: EPC }]);
  expect(unreadable).toHaveLength(3);
});

test("an expression that does not end is ended, and the message is unreadable", async () => {
  const endless = [
    "($f := function() { $f() }; $f())",
    "($f := function($n) { 1 + $f($n) }; $f(1))",
    "[1..9000000]",
  ];
  for (const expression of endless) {
    expect(expressionProblem(expression)).toBeUndefined();
    const { reads, unreadable } = await parse(expression, {});
    expect(reads).toEqual([]);
    expect(unreadable, expression).toHaveLength(1);
  }
});

test("an expression with an error or with a regular expression is refused, also one that is made at run time", async () => {
  expect(expressionProblem("tags.{")).toContain("Not a JSONata expression");
  expect(expressionProblem("$contains(id, /(a+)+$/)")).toContain("Regular expressions");
  expect(expressionProblem('"type\\":\\"regex"')).toBeUndefined();
  const { unreadable } = await parse(`$eval('$match("aaaa", /(a+)+$/)')`, {});
  expect(unreadable).toEqual([expect.stringContaining("mapping failed")]);
});

test("any bytes and any JSON never reject, and each element of the result is counted once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), async (bytes) => void (await createMapping("$")(Buffer.from(bytes)))),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 2 }), async (entries) => {
      const { reads, unreadable } = await parse("$", entries);
      expect(reads.length + unreadable.length).toBe(entries.length);
    }),
  );
});
