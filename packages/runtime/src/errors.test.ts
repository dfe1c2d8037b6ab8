import { describe, expect, it } from "vitest";
import { AppError, conflict, invalid, notFound, requireRev, toAppError, unavailable } from "./errors.ts";

describe("errors", () => {
  it("hides what an unknown error says from the caller, and keeps it for the log", () => {
    const cause = new Error("connect ECONNREFUSED mongodb://user:pw@host");
    const error = toAppError(cause);
    expect(error).toMatchObject({ kind: "internal", code: "INTERNAL", detail: cause.message, cause });
    expect(error.message).not.toContain("mongodb");
  });

  it("passes an AppError through, so that its kind survives every layer", () => {
    const error = conflict("ASSET_CHECKED_OUT", "The asset is checked out");
    expect(toAppError(error)).toBe(error);
  });

  it("makes an error of a thrown string too", () => {
    expect(toAppError("boom")).toBeInstanceOf(AppError);
  });

  it("names the field of a reference that does not resolve", () => {
    expect(notFound("location", "location_id").violations).toEqual([
      { field: "location_id", message: "There is no such location." },
    ]);
    expect(notFound().violations).toEqual([]);
  });

  it("says when to come back after unavailable", () => {
    expect(unavailable().retryAfterMs).toBe(1000);
    expect(invalid([{ field: "name", message: "is needed" }]).code).toBe("VALIDATION_FAILED");
  });

  it("refuses a change of a record that is at none of the revs that are given, and of none given nothing", () => {
    const lost = expect.objectContaining({ kind: "precondition", code: "PRECONDITION_FAILED" });
    for (const ifRevIn of [undefined, [], [3], [1, 3]]) {
      expect(() => requireRev(3, ifRevIn)).not.toThrow();
    }
    for (const ifRevIn of [[0], [2, 4], [30]]) expect(() => requireRev(3, ifRevIn)).toThrow(lost);
  });
});
