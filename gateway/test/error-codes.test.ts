import { AppError } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { errorCatalogue } from "../src/error-catalogue/catalogue.ts";
import { httpStatus } from "../src/errors.ts";
import { conflictsWithoutErrors, testSources, thrownCodes } from "./thrown-codes.ts";

/** Codes that http.md names. */
const promised =
  "UNAUTHENTICATED FORBIDDEN PLAN_REQUIRED NOT_FOUND VALIDATION_FAILED MALFORMED CONFLICT PRECONDITION_FAILED IDEMPOTENCY_KEY_REUSED IDEMPOTENCY_IN_PROGRESS RATE_LIMITED PAYLOAD_TOO_LARGE UNSUPPORTED_MEDIA_TYPE UNAVAILABLE INTERNAL READER_SIGNATURE_INVALID READER_TIMESTAMP_OUT_OF_RANGE NONCE_REUSED WEBHOOK_URL_UNSAFE TAG_ALREADY_BOUND ASSET_CHECKED_OUT ASSET_DISPOSED ASSET_MOVED_SINCE RUN_STALE".split(
    " ",
  );
const thrown = thrownCodes();
const known = new Map(errorCatalogue.map((entry) => [entry.code, entry]));

test("thrownCodes() finds the codes in the sources", () => {
  expect(thrown.length).toBeGreaterThan(40);
  expect(thrown).toContainEqual({
    code: "WEBHOOK_URL_UNSAFE",
    kind: "invalid",
    file: "services/notification/src/operations/webhooks/check-receiver.ts",
  });
});

test("every code that is thrown is in the catalogue", () => {
  expect(thrown.filter(({ code }) => !known.has(code))).toEqual([]);
});

test("every code of the catalogue is thrown somewhere, and has one entry", () => {
  const codes = new Set(thrown.map(({ code }) => code));
  expect(errorCatalogue.filter(({ code }) => !codes.has(code)).map(({ code }) => code)).toEqual([]);
  expect(known.size).toBe(errorCatalogue.length);
});

test("every code of the catalogue has a test", () => {
  const texts = testSources().join("\n");
  expect(errorCatalogue.map(({ code }) => code).filter((code) => !texts.includes(`"${code}"`))).toEqual([]);
});

test("every code that http.md names is in the catalogue", () => {
  expect(promised.filter((code) => !known.has(code))).toEqual([]);
});

test("every conflict says in errors what it conflicts with", () => {
  const without = conflictsWithoutErrors();
  expect(without).toEqual([]);
});

test("the status in the catalogue is the status of the response", () => {
  for (const { code, kind } of thrown) {
    if (kind === undefined) continue;
    // For an event in a batch, this code is part of a 202 response.
    if (code === "READER_TIMESTAMP_OUT_OF_RANGE" && kind === "invalid") continue;
    const status = httpStatus(new AppError({ kind, code, message: "" }));
    expect({ code, status }).toEqual({ code, status: known.get(code)?.status });
  }
});

/** A Markdown table in the style of the formatter: each column is as wide as its widest cell. */
function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  const [head, ...body] = rows;
  return [line(head!), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

test("docs/errors.md has the content of the catalogue", async () => {
  const rows = errorCatalogue.map(({ code, status, cause, cure, where }) => [
    `\`${code}\``,
    String(status),
    cause,
    cure,
    where,
  ]);
  await expect(`# Error codes

Generated from \`src/error-catalogue\` by \`npx vitest run gateway/test/error-codes -u\`. A running gateway shows the
same table at \`/docs/errors\`, with the routes on which each code can occur.

${table([["Code", "Status", "Cause", "Cure", "Where it occurs"], ...rows])}
`).toMatchFileSnapshot("../docs/errors.md");
});
