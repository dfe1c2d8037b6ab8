import fc from "fast-check";
import { expect, test } from "vitest";
import { PoisonError } from "../consumer/failure.ts";
import { decodeHeaders, type EventHeaders, encodeHeaders } from "./headers.ts";

const fallback = { id: "thing.v1/0/0", time: new Date(0) };

const headers: fc.Arbitrary<EventHeaders> = fc.record({
  id: fc.string({ minLength: 1 }),
  type: fc.string(),
  source: fc.string(),
  workspaceId: fc.string(),
  subject: fc.string(),
  time: fc.date({ noInvalidDate: true, min: new Date("0000-01-01"), max: new Date("9999-12-31") }),
  sequence: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  epoch: fc.nat(),
  schema: fc.constantFrom("a.b.v1.Thing"),
  traceparent: fc.option(fc.constant("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"), {
    nil: undefined,
  }),
});

test("decoded headers equal the headers that were encoded", () => {
  fc.assert(
    fc.property(headers, (event) => {
      fc.pre(!event.type.startsWith("com.assetregister."));
      expect(decodeHeaders(encodeHeaders(event), fallback)).toEqual(event);
    }),
  );
});

test("a record without headers, such as a micro-batch of several workspaces, gets neutral values", () => {
  expect(decodeHeaders(undefined, fallback)).toMatchObject({
    ...fallback,
    sequence: 0,
    epoch: 0,
    workspaceId: "",
  });
});

test.each([
  ["ce_sequence", "many"],
  ["ce_sequence", "-1"],
  ["ce_sequence", "9007199254740993"],
  ["ce_epoch", "1.5"],
  ["ce_time", "yesterday"],
])("a header %s of %j throws PoisonError, since a retry would fail again", (name, text) => {
  expect(() => decodeHeaders({ [name]: text }, fallback)).toThrow(PoisonError);
});
