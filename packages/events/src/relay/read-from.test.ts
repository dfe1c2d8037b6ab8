import mongoose from "mongoose";
import { expect, it, onTestFinished, vi } from "vitest";
import { createReadFrom } from "./read-from.ts";

const at = (t: number) => new mongoose.mongo.Timestamp({ t, i: 7 });

it("reads begin two seconds before the oldest row of the read before; the first and one each second read all rows", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const from = createReadFrom();
  expect(from.next()).toBeUndefined();
  from.found(at(100));
  expect(from.next()?.t).toBe(98);
  from.found(at(103));
  from.found(undefined);
  vi.advanceTimersByTime(999);
  expect(from.next()?.t).toBe(101);
  vi.advanceTimersByTime(1);
  expect(from.next()).toBeUndefined();
  expect(from.next()?.t).toBe(101);
});

it("all rows are read until one was found", () => {
  const from = createReadFrom();
  for (const next of [from.next(), from.next()]) expect(next).toBeUndefined();
});
