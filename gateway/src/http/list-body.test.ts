import fc from "fast-check";
import { expect, test } from "vitest";
import { parseListBody } from "./list-body.ts";

const MIB = 1_048_576;
let parsed: string[] = [];
const read = (text: string, maxItems = 1_000) => {
  parsed = [];
  return parseListBody(Buffer.from(text), {
    list: "assets",
    maxItems,
    parse: (part) => {
      parsed.push(part.toString());
      return JSON.parse(part.toString());
    },
  });
};

/** The expected body: the items of all its lists are in `assets` if that is a list, and other lists are empty. */
function expected(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => (Array.isArray(item) ? [] : item));
  const items = Object.values(value).flatMap((inner) => (Array.isArray(inner) ? inner : []));
  const entries = Object.entries(value).map(([name, inner]) => {
    if (!Array.isArray(inner)) return [name, inner];
    return [name, name === "assets" ? items : []];
  });
  return Object.fromEntries(entries);
}

test("a body with one list is what it would be if it were parsed at once", async () => {
  const list = fc.array(fc.jsonValue(), { maxLength: 4 });
  const fields = { assets: fc.oneof(list, fc.jsonValue()), other: fc.jsonValue() };
  const value = fc.oneof(fc.record(fields, { requiredKeys: [] }), fc.jsonValue());
  const space = fc.constantFrom(undefined, 1, "\t");
  await fc.assert(
    fc.asyncProperty(value, space, async (given, indent) => {
      const text = JSON.stringify(given, null, indent);
      expect(await read(text)).toEqual(expected(JSON.parse(text)));
    }),
  );
});

test("a text that is no JSON is refused, wherever it is broken", async () => {
  const valid = '{ "assets": [ {"name":"a]\\"}"}, [1, {"x":[]}], "s,]" ], "other": {"a":[1,2]} }';
  expect(await read(valid)).toEqual(JSON.parse(valid));
  const change = fc.constantFrom("", "[", "]", "{", "}", ",", '"', "\\", "1", " ");
  await fc.assert(
    fc.asyncProperty(fc.nat(valid.length - 1), change, async (at, put) => {
      const text = valid.slice(0, at) + put + valid.slice(at + 1);
      const value = parsedAtOnce(text);
      if (value === undefined) await expect(read(text)).rejects.toThrow();
      else expect(await read(text)).toEqual(expected(value));
    }),
    { numRuns: 500 },
  );
  const broken = [
    "",
    '{"assets":[1,]}',
    '{"assets":[,1]}',
    '{"assets":[1}',
    '{"assets":[1',
    '{"assets":[]]}',
  ];
  for (const text of broken) await expect(read(text), text).rejects.toThrow();
});

function parsedAtOnce(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

test("it stops after one item more than allowed", async () => {
  const text = JSON.stringify({ assets: Array.from({ length: 100_000 }, () => 1) });
  expect(await read(text, 10)).toEqual({ assets: Array.from({ length: 11 }, () => 1) });
  expect(parsed).toHaveLength(11);
});

test.each([
  ["an item", { assets: ["x".repeat(MIB)] }],
  ["what is beside the list", { assets: [], x: "x".repeat(MIB) }],
  [
    "many lists beside it",
    Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, []])),
  ],
])("%s that is too large is 413 and is not parsed", async (_what, body) => {
  await expect(read(JSON.stringify(body))).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  expect(parsed).toEqual([]);
});

test("other work is done between the items", async () => {
  let served = false;
  let at = 0;
  setImmediate(() => {
    served = true;
  });
  const assets = Array.from({ length: 1_000 }, () => 0);
  // Each item takes until the other work is done, or so long that a pause must come first.
  await parseListBody(Buffer.from(JSON.stringify({ assets })), {
    list: "assets",
    maxItems: 1_000,
    parse: (part) => {
      const until = performance.now() + 1;
      while (!served && performance.now() < until);
      if (!served) at += 1;
      return JSON.parse(part.toString());
    },
  });
  expect(at).toBeLessThan(100);
});
