import {
  AppError,
  conflict,
  exhausted,
  forbidden,
  invalid,
  notFound,
  unavailable,
} from "@asset-register/runtime";
import { expect, test } from "vitest";
import { isPoison, PoisonError } from "./failure.ts";

test.each([
  ["poison", new PoisonError("broken")],
  ["a broken rule", conflict("TAKEN", "It is taken.")],
  ["an invalid field", invalid([])],
  ["a missing thing", notFound()],
  ["a document that the collection's validator refuses", Object.assign(new Error("refused"), { code: 121 })],
])("%s is the event's fault", (_, error) => {
  expect(isPoison(error)).toBe(true);
});

test.each([
  ["a service that is away", unavailable()],
  ["a limit", exhausted("Too many.", 1_000)],
  ["a refused credential, which is a matter of settings", forbidden()],
  ["an error of the server", new AppError({ kind: "internal", code: "INTERNAL", message: "?" })],
  ["a connection that breaks", Object.assign(new Error("reset"), { code: "ECONNRESET" })],
  ["a call that still runs under the same key", conflict("IDEMPOTENCY_IN_PROGRESS", "wait")],
  ["a bug", new TypeError("x is not a function")],
  ["what is no error at all", "broken"],
])("%s is not, so that it is tried again", (_, error) => {
  expect(isPoison(error)).toBe(false);
});
