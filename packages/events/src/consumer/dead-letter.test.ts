import fc from "fast-check";
import { expect, test } from "vitest";
import { readOrigin, toDeadLetter, toRetry } from "./dead-letter.ts";

const bytes = fc.uint8Array({ maxLength: 20 }).map((array) => Buffer.from(array));

const record = fc.record({
  key: fc.option(
    fc.string().map((text) => Buffer.from(text)),
    { nil: null },
  ),
  value: fc.option(bytes, { nil: null }),
  headers: fc.dictionary(
    fc.string({ minLength: 1 }).filter((name) => !name.startsWith("dlq_") && name !== "__proto__"),
    bytes,
  ),
  timestamp: fc.constant("0"),
  attributes: fc.constant(0),
  offset: fc.constant("7"),
});

const origin = { topic: "thing.v1", partition: 3, offset: "7", group: "group", error: "broken" };
const now = new Date("2026-01-01T00:00:00.000Z");

test("a retried dead letter has the key, the value and the headers of the record that failed", () => {
  fc.assert(
    fc.property(record, (failed) => {
      const letter = toDeadLetter(failed, origin, now);
      const { key, value, headers } = toRetry(letter);
      const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("dlq_")));
      expect({ key, value, headers: own }).toEqual({
        key: failed.key,
        value: failed.value,
        headers: failed.headers,
      });
    }),
  );
});

test("a dead letter that fails a second time keeps its first origin, has the new error and counts two attempts", () => {
  const failed = { key: null, value: null, headers: {}, timestamp: "0", attributes: 0, offset: "7" };
  const retried = { ...failed, ...toRetry(toDeadLetter(failed, origin, now)), offset: "0" };
  const again = toDeadLetter(retried, { ...origin, partition: 0, offset: "0", error: "still broken" }, now);
  expect(again.key).toBe("thing.v1/3/7");
  expect(readOrigin(again.headers)).toEqual({
    ...{ ...origin, error: "still broken" },
    ...{ at: now.toISOString(), attempts: 2 },
  });
});
