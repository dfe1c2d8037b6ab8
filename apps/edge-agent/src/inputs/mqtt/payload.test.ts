import { expect, test } from "vitest";
import { coversTopic, isOf, topicFilter } from "./payload.ts";

test("a topic filter covers topics as MQTT defines it", () => {
  for (const [filter, topic] of [
    ["a/b", "a/b"],
    ["a/+/c", "a/b/c"],
    ["a/#", "a/b/c"],
    ["a/#", "a"],
    ["#", "a/b"],
    ["+/+", "/b"],
  ] as const) {
    expect(coversTopic(filter, topic), `${filter} ${topic}`).toBe(true);
  }
  for (const [filter, topic] of [
    ["a/b", "a"],
    ["a", "a/b"],
    ["a/+", "a"],
    ["a/+", "a/b/c"],
    ["a/b/#", "a/c"],
  ] as const) {
    expect(coversTopic(filter, topic), `${filter} ${topic}`).toBe(false);
  }
});

test("a topic filter with # inside it or with + beside other text is refused", () => {
  for (const wrong of ["", "a/#/b", "a#", "a/b+"])
    expect(topicFilter.safeParse(wrong).success, wrong).toBe(false);
  for (const right of ["a", "#", "+/a/+/#"]) expect(topicFilter.safeParse(right).success, right).toBe(true);
});

test("a field of the message, or of the first of a batch, selects the reader", () => {
  const payload = (value: unknown) => Buffer.from(JSON.stringify(value));
  const dock = { field: "device.name", equals: "dock" };
  expect(isOf(payload({ device: { name: "dock" } }), dock)).toBe(true);
  expect(isOf(payload([{ device: { name: "dock" } }, {}]), dock)).toBe(true);
  expect(isOf(payload({ device: { name: "gate" } }), dock)).toBe(false);
  for (const other of [null, {}, [], "text", { device: null }])
    expect(isOf(payload(other), dock)).toBe(false);
  expect(isOf(Buffer.from("no json"), dock)).toBe(false);
  expect(isOf(payload({ constructor: 1 }), { field: "constructor.name", equals: "Number" })).toBe(false);
  expect(isOf(Buffer.from("no json"), undefined)).toBe(true);
});
