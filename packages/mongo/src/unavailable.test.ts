import { AppError, invalid, unavailable } from "@asset-register/runtime";
import mongoose from "mongoose";
import { describe, expect, it } from "vitest";
import { isDuplicateKey } from "./duplicate-key.ts";
import { asAppError, isUnavailable } from "./unavailable.ts";

const { MongoNetworkError, MongoServerError, MongoServerSelectionError } = mongoose.mongo;
const server = (code: number, message = "no") => new MongoServerError({ message, code });
const transient = server(1);
transient.addErrorLabel("TransientTransactionError");

describe("temporary errors", () => {
  it.each([
    ["a broken connection", new MongoNetworkError("closed")],
    ["a missing server", new MongoServerSelectionError("none", {} as never)],
    ["mongoose's error for a missing server", new mongoose.Error.MongooseServerSelectionError("none")],
    ["a step-down of the primary", server(10107)],
    ["a shut-down of the server", server(91)],
    ["an exceeded time limit", server(50)],
    ["a write without a majority in time", server(64)],
    ["a conflict of transactions", transient],
    ["an AppError unavailable", unavailable()],
    ["a socket that closed during a write", Object.assign(new Error("ended"), { code: "EPIPE" })],
    [
      "an error with a temporary cause",
      new Error("while saving", { cause: new MongoNetworkError("closed") }),
    ],
  ])("%s becomes AppError unavailable", (_name, error) => {
    expect(isUnavailable(error)).toBe(true);
    expect(asAppError(error)).toMatchObject({ kind: "unavailable" });
  });

  it.each([
    ["a duplicate key", server(11000)],
    ["an invalid field", invalid([])],
    ["a bug", new TypeError("x is undefined")],
    ["a document that the server's validation refuses", server(121)],
    ["a thrown value that is not an error", "unavailable"],
  ])("%s is not temporary and stays unchanged", (_name, error) => {
    expect(isUnavailable(error)).toBe(false);
    expect(asAppError(error)).toBe(error);
  });

  it("the original error becomes the cause, and its text is not shown to the caller", () => {
    const cause = new MongoNetworkError("connect ECONNREFUSED 10.0.0.7:27017");
    const error = asAppError(cause);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ cause, retryAfterMs: 1000 });
    expect(String(error)).not.toContain("10.0.0.7");
  });
});

describe("isDuplicateKey", () => {
  const error = server(11000, "E11000 duplicate key error collection: d.c index: by_epc dup key: { a: 1 }");

  it("a duplicate key error is recognised with and without the name of its index, also as a cause", () => {
    expect(isDuplicateKey(error)).toBe(true);
    expect(isDuplicateKey(error, "by_epc")).toBe(true);
    expect(isDuplicateKey(error, "by_e")).toBe(false);
    expect(isDuplicateKey(new Error("saving", { cause: error }), "by_epc")).toBe(true);
    expect(isDuplicateKey(server(112))).toBe(false);
  });
});
