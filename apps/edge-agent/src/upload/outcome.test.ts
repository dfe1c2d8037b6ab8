import { expect, test } from "vitest";
import { outcomeOf } from "./outcome.ts";

const answer = (status: number, body: unknown, retryAfterMs?: number) => ({ status, body, retryAfterMs });

test("accepted and duplicate events are taken, rejected ones are named with their code", () => {
  const results = [
    { index: 0, status: "accepted" },
    { index: 1, status: "rejected", code: "VALIDATION_FAILED" },
    { index: 2, status: "duplicate" },
  ];
  expect(outcomeOf(answer(202, { results }), 3)).toEqual({
    kind: "taken",
    refused: [{ index: 1, code: "VALIDATION_FAILED" }],
  });
});

test.each([
  ["a login page with 202", answer(202, undefined)],
  ["fewer results than events", answer(202, { results: [{ status: "accepted" }] })],
  ["a wrong URL", answer(404, { code: "NOT_FOUND" })],
  ["a proxy that forbids", answer(403, undefined)],
  ["a proxy that refuses the body", answer(413, undefined)],
  ["a gateway without a service", answer(503, { code: "UNAVAILABLE" })],
  ["a redirect", answer(302, undefined)],
  ["a proxy that asks for a password", answer(401, undefined)],
])("%s says nothing about the events, so they are sent again", (_name, given) => {
  expect(outcomeOf(given, 2).kind).toBe("unavailable");
});

test.each([
  [409, "NONCE_REUSED"],
  [422, "VALIDATION_FAILED"],
  [413, "BODY_TOO_LARGE"],
])("%i %s is a judgement of the batch", (status, code) => {
  expect(outcomeOf(answer(status, { code }), 1)).toEqual({ kind: "refused", code });
});

test("401 with a code means that id, secret or time are wrong", () => {
  expect(outcomeOf(answer(401, { code: "READER_SIGNATURE_INVALID" }), 1)).toEqual({
    kind: "unauthorised",
    code: "READER_SIGNATURE_INVALID",
  });
});

test("429 and 503 name the time after which they may be repeated", () => {
  expect(outcomeOf(answer(429, { code: "RATE_LIMITED" }, 3000), 1)).toEqual({
    kind: "limited",
    retryAfterMs: 3000,
  });
  expect(outcomeOf(answer(503, undefined, 1000), 1)).toMatchObject({ retryAfterMs: 1000 });
});
