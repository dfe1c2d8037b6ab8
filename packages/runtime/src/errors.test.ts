import { describe, expect, it } from "vitest";
import { AppError, conflict, invalid, notFound, requireRev, toAppError, unavailable } from "./errors.ts";

describe("errors", () => {
  it("the message of an unknown error is hidden from the caller and kept for the log", () => {
    const cause = new Error("connect ECONNREFUSED mongodb://user:pw@host");
    const error = toAppError(cause);
    expect(error).toMatchObject({ kind: "internal", code: "INTERNAL", detail: cause.message, cause });
    expect(error.message).not.toContain("mongodb");
  });

  it("toAppError returns an AppError unchanged, so that its kind is kept in every layer", () => {
    const error = conflict("ASSET_CHECKED_OUT", "The asset is checked out", [
      { field: "asset_id", message: "ast_1" },
    ]);
    expect(toAppError(error)).toBe(error);
  });

  it("toAppError converts a thrown string", () => {
    expect(toAppError("boom")).toBeInstanceOf(AppError);
  });

  it("notFound with a field names the field that references a missing record", () => {
    expect(notFound("location", "location_id").violations).toEqual([
      { field: "location_id", message: "There is no such location." },
    ]);
    expect(notFound().violations).toEqual([]);
  });

  it("unavailable has a retry time of 1 s, and invalid has the code VALIDATION_FAILED", () => {
    expect(unavailable().retryAfterMs).toBe(1000);
    expect(invalid([{ field: "name", message: "is required" }]).code).toBe("VALIDATION_FAILED");
  });

  it("requireRev accepts a listed rev and an empty list, and refuses any other rev with PRECONDITION_FAILED", () => {
    const lost = expect.objectContaining({ kind: "precondition", code: "PRECONDITION_FAILED" });
    for (const ifRevIn of [undefined, [], [3], [1, 3]]) {
      expect(() => requireRev(3, ifRevIn)).not.toThrow();
    }
    for (const ifRevIn of [[0], [2, 4], [30]]) expect(() => requireRev(3, ifRevIn)).toThrow(lost);
  });
});
