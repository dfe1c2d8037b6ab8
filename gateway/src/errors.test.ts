import {
  AppError,
  type ErrorKind,
  exhausted,
  invalid,
  notFound,
  timedOut,
  unavailable,
} from "@asset-register/runtime";
import { expect, test } from "vitest";
import { asAppError, httpStatus, malformed, renameFields, unsupportedMediaType } from "./errors.ts";

const statuses: [ErrorKind, number][] = [
  ["invalid", 422],
  ["unauthenticated", 401],
  ["forbidden", 403],
  ["not_found", 404],
  ["conflict", 409],
  ["precondition", 412],
  ["exhausted", 429],
  ["unavailable", 503],
  ["internal", 500],
];

test.each(statuses)("an error of the kind %s has the status %i", (kind, status) => {
  expect(httpStatus(new AppError({ kind, code: "ANY", message: "" }))).toBe(status);
});

test("MALFORMED is 400, UNSUPPORTED_MEDIA_TYPE 415 and PAYLOAD_TOO_LARGE 413", () => {
  expect(httpStatus(malformed(""))).toBe(400);
  expect(httpStatus(unsupportedMediaType(""))).toBe(415);
  expect(httpStatus(new AppError({ kind: "invalid", code: "PAYLOAD_TOO_LARGE", message: "" }))).toBe(413);
});

test("every unavailable error has the code UNAVAILABLE, and every 503 and 429 has a time to retry after", () => {
  const late = asAppError(new AppError({ kind: "unavailable", code: "DEADLINE_EXCEEDED", message: "late" }));
  expect(late).toMatchObject({ code: "UNAVAILABLE", message: "late", retryAfterMs: 1000 });
  expect(asAppError(timedOut())).toMatchObject({ code: "UNAVAILABLE", retryAfterMs: 1000 });
  expect(asAppError(unavailable("later", 5000))).toMatchObject({ retryAfterMs: 5000 });
  expect(asAppError(exhausted("slow down", 7000))).toMatchObject({ retryAfterMs: 7000 });
  expect(asAppError(new AppError({ kind: "exhausted", code: "QUOTA", message: "" }))).toMatchObject({
    code: "QUOTA",
    retryAfterMs: 1000,
  });
});

test("renameFields() replaces the names of the RPC's fields by those of the route", () => {
  const unknown = notFound("custodian", "issued_to_id");
  expect(() => renameFields({ issued_to_id: "assignee_id" })(unknown)).toThrow(
    expect.objectContaining({
      code: "NOT_FOUND",
      violations: [{ field: "assignee_id", message: "There is no such custodian." }],
    }),
  );
  expect(() => renameFields({ other: "field" })(unknown)).toThrow(
    expect.objectContaining({ violations: unknown.violations }),
  );
});

test("an AppError is returned unchanged", () => {
  for (const error of [notFound(), invalid([{ field: "a", message: "b" }])])
    expect(asAppError(error)).toBe(error);
});

const ofFastify = (fields: object) => Object.assign(new Error("of Fastify"), fields);

test("errors of Fastify get our codes and statuses", () => {
  const codes = [
    "FST_ERR_CTP_INVALID_JSON_BODY",
    "FST_ERR_CTP_BODY_TOO_LARGE",
    "FST_ERR_CTP_INVALID_MEDIA_TYPE",
  ];
  expect(codes.map((code) => httpStatus(asAppError(ofFastify({ code }))))).toEqual([400, 413, 415]);
  expect(asAppError(ofFastify({ statusCode: 400 }))).toMatchObject({ code: "MALFORMED" });
});

test("an invalid id in the path is NOT_FOUND, an invalid field in the body VALIDATION_FAILED", () => {
  const validation = [
    { instancePath: "/id", schemaPath: "#/properties/id/maxLength", keyword: "maxLength", params: {} },
  ];
  expect(asAppError(ofFastify({ validation, validationContext: "params" }))).toMatchObject({
    code: "NOT_FOUND",
  });
  expect(asAppError(ofFastify({ validation, validationContext: "body" }))).toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field: "id" }],
  });
});

test("an unknown error is INTERNAL, and its message reveals nothing about it", () => {
  for (const thrown of [new TypeError("x of undefined"), "text", undefined, ofFastify({ statusCode: 500 })]) {
    expect(asAppError(thrown ?? new Error())).toMatchObject({ kind: "internal", code: "INTERNAL" });
  }
  expect(asAppError(new TypeError("x of undefined")).message).not.toContain("undefined");
});
