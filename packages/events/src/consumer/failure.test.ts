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
  ["a PoisonError", new PoisonError("broken")],
  ["a conflict", conflict("TAKEN", "It is taken.", [{ field: "asset_id", message: "ast_1" }])],
  ["an invalid field", invalid([])],
  ["a missing record", notFound()],
  [
    "a document that the validator of the collection refuses",
    Object.assign(new Error("refused"), { code: 121 }),
  ],
])("%s is a failure of the event's content", (_, error) => {
  expect(isPoison(error)).toBe(true);
});

test.each([
  ["an unavailable service", unavailable()],
  ["an exceeded limit", exhausted("Too many.", 1_000)],
  ["a refused credential (an error of the settings)", forbidden()],
  ["an internal error of a server", new AppError({ kind: "internal", code: "INTERNAL", message: "?" })],
  ["a broken connection", Object.assign(new Error("reset"), { code: "ECONNRESET" })],
  [
    "a call that is still running under the same idempotency key",
    conflict("IDEMPOTENCY_IN_PROGRESS", "wait", [{ field: "asset_id", message: "ast_1" }]),
  ],
  ["a bug", new TypeError("x is not a function")],
  ["a thrown value that is not an error", "broken"],
])("%s is not a failure of the event's content, so the event is retried", (_, error) => {
  expect(isPoison(error)).toBe(false);
});
