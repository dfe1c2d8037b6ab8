import { AppError, invalid, unavailable } from "@asset-register/runtime";
import mongoose from "mongoose";
import { describe, expect, it } from "vitest";
import { isDuplicateKey } from "./duplicate-key.ts";
import { asAppError, isUnavailable } from "./unavailable.ts";

const { MongoNetworkError, MongoServerError, MongoServerSelectionError } = mongoose.mongo;
const server = (code: number, message = "no") => new MongoServerError({ message, code });
const transient = server(1);
transient.addErrorLabel("TransientTransactionError");

describe("errors that say `not now`", () => {
  it.each([
    ["a broken connection", new MongoNetworkError("closed")],
    ["no server", new MongoServerSelectionError("none", {} as never)],
    ["mongoose's own name for it", new mongoose.Error.MongooseServerSelectionError("none")],
    ["a step-down", server(10107)],
    ["a shut-down", server(91)],
    ["too slow", server(50)],
    ["no majority in time", server(64)],
    ["a conflict of transactions", transient],
    ["ours already", unavailable()],
    ["a socket that ended while written to", Object.assign(new Error("ended"), { code: "EPIPE" })],
    ["one of these as cause", new Error("while saving", { cause: new MongoNetworkError("closed") })],
  ])("%s", (_name, error) => {
    expect(isUnavailable(error)).toBe(true);
    expect(asAppError(error)).toMatchObject({ kind: "unavailable" });
  });

  it.each([
    ["a duplicate key", server(11000)],
    ["a broken rule", invalid([])],
    ["a bug", new TypeError("x is undefined")],
    ["a validation by the server", server(121)],
    ["no error at all", "away"],
  ])("and not %s", (_name, error) => {
    expect(isUnavailable(error)).toBe(false);
    expect(asAppError(error)).toBe(error);
  });

  it("are kept as the cause, and show nothing of it to the caller", () => {
    const cause = new MongoNetworkError("connect ECONNREFUSED 10.0.0.7:27017");
    const error = asAppError(cause);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ cause, retryAfterMs: 1000 });
    expect(String(error)).not.toContain("10.0.0.7");
  });
});

describe("a duplicate key", () => {
  const error = server(11000, "E11000 duplicate key error collection: d.c index: by_epc dup key: { a: 1 }");

  it("is told by its index", () => {
    expect(isDuplicateKey(error)).toBe(true);
    expect(isDuplicateKey(error, "by_epc")).toBe(true);
    expect(isDuplicateKey(error, "by_e")).toBe(false);
    expect(isDuplicateKey(new Error("saving", { cause: error }), "by_epc")).toBe(true);
    expect(isDuplicateKey(server(112))).toBe(false);
  });
});
