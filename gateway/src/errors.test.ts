import { AppError, type ErrorKind, exhausted, invalid, notFound, unavailable } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { asAppError, httpStatus, inWordsOf, malformed, unsupportedMediaType } from "./errors.ts";

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

test.each(statuses)("%s answers %i", (kind, status) => {
  expect(httpStatus(new AppError({ kind, code: "ANY", message: "" }))).toBe(status);
});

test("three codes have a status of their own", () => {
  expect(httpStatus(malformed(""))).toBe(400);
  expect(httpStatus(unsupportedMediaType(""))).toBe(415);
  expect(httpStatus(new AppError({ kind: "invalid", code: "PAYLOAD_TOO_LARGE", message: "" }))).toBe(413);
});

test("whatever made a service unavailable, its code is one and it says when to come back", () => {
  const late = asAppError(new AppError({ kind: "unavailable", code: "DEADLINE_EXCEEDED", message: "late" }));
  expect(late).toMatchObject({ code: "UNAVAILABLE", message: "late", retryAfterMs: 1000 });
  expect(asAppError(unavailable("later", 5000))).toMatchObject({ retryAfterMs: 5000 });
  expect(asAppError(exhausted("slow down", 7000))).toMatchObject({ retryAfterMs: 7000 });
  expect(asAppError(new AppError({ kind: "exhausted", code: "QUOTA", message: "" }))).toMatchObject({
    code: "QUOTA",
    retryAfterMs: 1000,
  });
});

test("a failure is told in the words of the route that it is told by", () => {
  const unknown = notFound("custodian", "issued_to_id");
  expect(() => inWordsOf({ issued_to_id: "assignee_id" })(unknown)).toThrow(
    expect.objectContaining({
      code: "NOT_FOUND",
      violations: [{ field: "assignee_id", message: "There is no such custodian." }],
    }),
  );
  expect(() => inWordsOf({ other: "field" })(unknown)).toThrow(
    expect.objectContaining({ violations: unknown.violations }),
  );
});

test("an error of our own passes as it is", () => {
  for (const error of [notFound(), invalid([{ field: "a", message: "b" }])])
    expect(asAppError(error)).toBe(error);
});

const ofFastify = (fields: object) => Object.assign(new Error("of Fastify"), fields);

test("what Fastify refuses is told in our words", () => {
  const codes = [
    "FST_ERR_CTP_INVALID_JSON_BODY",
    "FST_ERR_CTP_BODY_TOO_LARGE",
    "FST_ERR_CTP_INVALID_MEDIA_TYPE",
  ];
  expect(codes.map((code) => httpStatus(asAppError(ofFastify({ code }))))).toEqual([400, 413, 415]);
  expect(asAppError(ofFastify({ statusCode: 400 }))).toMatchObject({ code: "MALFORMED" });
});

test("an id in a path that can't be one is an unknown one", () => {
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

test("anything unknown is internal and shows nothing of itself", () => {
  for (const thrown of [new TypeError("x of undefined"), "text", undefined, ofFastify({ statusCode: 500 })]) {
    expect(asAppError(thrown ?? new Error())).toMatchObject({ kind: "internal", code: "INTERNAL" });
  }
  expect(asAppError(new TypeError("x of undefined")).message).not.toContain("undefined");
});
