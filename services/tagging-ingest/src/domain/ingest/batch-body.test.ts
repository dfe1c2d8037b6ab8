import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBatchBody } from "./batch-body.ts";

const parse = (value: unknown) => parseBatchBody(Buffer.from(JSON.stringify(value)));
const ts = "2026-01-01T00:00:00Z";
const ms = Date.UTC(2026, 0, 1);

describe("parseBatchBody", () => {
  it("returns the items in order; optional fields are absent or have their default", () => {
    expect(
      parse({
        events: [
          { epc: "30af", ts },
          { epc: "3034", ts: ms, antenna: 2, rssi: -51.5, count: 3 },
        ],
      }),
    ).toEqual({
      items: [
        { read: { epc: "30AF", ts: { ms, nanos: 0 }, count: 1 } },
        { read: { epc: "3034", ts: { ms, nanos: 0 }, antenna: 2, rssi: -51.5, count: 3 } },
      ],
    });
  });

  it("takes null for an optional field as if it was left out, and refuses it for a required one", () => {
    expect(parse({ events: [{ epc: "30af", ts, antenna: null, rssi: null, count: null }] })).toEqual({
      items: [{ read: { epc: "30AF", ts: { ms, nanos: 0 }, count: 1 } }],
    });
    expect(parse({ events: [{ epc: null, ts }] })).toMatchObject({
      items: [{ violations: [{ field: "events.0.epc" }] }],
    });
  });

  it("refuses a body with a lone surrogate as a whole", () => {
    const body = Buffer.from(String.raw`{"events":[{"epc":"\ud800","ts":1}]}`);
    expect(parseBatchBody(body)).toEqual({ malformed: "A text in the body has a lone surrogate." });
  });

  it("accepts an empty list, which is the heartbeat of a reader", () => {
    expect(parse({ events: [] })).toEqual({ items: [] });
  });

  it("names each wrong field of an item, without an effect on other items", () => {
    const wrong = { epc: "xyz", ts: "2026-01-01T00:00:00", antenna: -1, rssi: "-5", count: 1.5, $ne: 1 };
    const body = parse({ events: [wrong, { epc: "3034", ts }, null] });
    if (!("items" in body)) throw new Error("the body as a whole is right");
    const fields = body.items.map((item) =>
      "violations" in item ? item.violations.map(({ field }) => field) : [],
    );
    expect(fields[0]?.sort()).toEqual(
      ["$ne", "antenna", "count", "epc", "rssi", "ts"].map((name) => `events.0.${name}`),
    );
    expect(fields[1]).toEqual([]);
    expect(fields[2]).toEqual(["events.2"]);
  });

  it.each([
    ["epc", { epc: "303", ts }],
    ["epc", { epc: "30343", ts }],
    ["epc", { epc: "urn:epc:tag:sgtin-97:3.0614141.812345.6789", ts }],
    ["ts", { epc: "3034", ts: 2 ** 53 }],
    ["ts", { epc: "3034", ts: 1e300 }],
    ["ts", { epc: "3034", ts: "9".repeat(400) }],
    ["antenna", { epc: "3034", ts, antenna: 1e300 }],
    ["rssi", { epc: "3034", ts, rssi: 1e300 }],
    ["count", { epc: "3034", ts, count: 2 ** 53 }],
  ])("refuses odd digits, unknown forms and huge numbers by their field: %s of %j", (field, item) => {
    const body = parse({ events: [item] });
    const [first] = "items" in body ? body.items : [];
    expect(first).toMatchObject({ violations: [{ field: `events.0.${field}` }] });
  });

  it.each([
    ["a name twice", `{"events":[{"epc":"3034","epc":"3035","ts":"${ts}"}]}`],
    ["the list twice", '{"events":[],"events":[]}'],
    ["a name twice in an unknown field", '{"events":[{"x":{"y":1,"y":1}}]}'],
    ["no UTF-8", Buffer.from([...Buffer.from('{"events":[],"'), 0xff, ...Buffer.from('":1}')])],
  ])("refuses a whole body with %s, because readers of JSON would understand it differently", (_, body) => {
    expect(parseBatchBody(Buffer.from(body))).toHaveProperty("malformed");
  });

  it("names all known fields and few unknown ones, so no answer is much larger than its request", () => {
    const names = Array.from({ length: 1_000 }, (_, index) => [`f${index}`, 0]);
    const item = { epc: 1, ts: 1.5, antenna: "", rssi: "", count: "", ...Object.fromEntries(names) };
    const body = parse({ events: [item] });
    const [first] = "items" in body ? body.items : [];
    const fields = first && "violations" in first ? first.violations.map(({ field }) => field) : [];
    expect(fields).toHaveLength(8);
    expect(fields).toEqual(
      expect.arrayContaining(["epc", "ts", "antenna", "rssi", "count"].map((name) => `events.0.${name}`)),
    );
    const whole = parse(Object.fromEntries(names));
    expect("violations" in whole && whole.violations.length).toBe(8);
  });

  it("refuses a body that is not valid as a whole", () => {
    expect(parseBatchBody(Buffer.from("{"))).toHaveProperty("malformed");
    for (const body of [[], null, "x", {}, { events: {} }, { events: [], more: 1 }]) {
      expect(parse(body), JSON.stringify(body)).toHaveProperty("violations");
    }
    expect(parse({ events: Array.from({ length: 1001 }, () => ({ epc: "3034", ts })) })).toHaveProperty(
      "violations",
    );
  });

  it("never throws, and returns one item for each event", () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void parseBatchBody(bytes)));
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 20 }), (events) => {
        const body = parse({ events });
        expect("items" in body && body.items.length).toBe(events.length);
      }),
    );
  });
});
