import { AppError } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { errorCatalogue } from "../src/error-catalogue/catalogue.ts";
import { httpStatus } from "../src/errors.ts";
import { thrownCodes } from "./thrown-codes.ts";

/** Codes that http.md names; those of services that are still to come. */
const promised =
  "UNAUTHENTICATED FORBIDDEN PLAN_REQUIRED NOT_FOUND VALIDATION_FAILED MALFORMED CONFLICT PRECONDITION_FAILED IDEMPOTENCY_KEY_REUSED IDEMPOTENCY_IN_PROGRESS RATE_LIMITED PAYLOAD_TOO_LARGE UNSUPPORTED_MEDIA_TYPE UNAVAILABLE INTERNAL READER_SIGNATURE_INVALID READER_TIMESTAMP_OUT_OF_RANGE NONCE_REUSED WEBHOOK_URL_UNSAFE TAG_ALREADY_BOUND ASSET_CHECKED_OUT ASSET_DISPOSED ASSET_MOVED_SINCE RUN_STALE".split(
    " ",
  );
const later = ["ASSET_MOVED_SINCE", "RUN_STALE"];

const thrown = thrownCodes();
const known = new Map(errorCatalogue.map((entry) => [entry.code, entry]));

test("the sources are looked through", () => {
  expect(thrown.length).toBeGreaterThan(40);
  expect(thrown).toContainEqual({
    code: "WEBHOOK_URL_UNSAFE",
    kind: "invalid",
    file: "services/notification/src/operations/check-receiver.ts",
  });
});

test("every code that is thrown has its place in the catalogue", () => {
  expect(thrown.filter(({ code }) => !known.has(code))).toEqual([]);
});

test("every code of the catalogue is thrown somewhere, once listed", () => {
  const codes = new Set(thrown.map(({ code }) => code));
  expect(errorCatalogue.filter(({ code }) => !codes.has(code)).map(({ code }) => code)).toEqual([]);
  expect(known.size).toBe(errorCatalogue.length);
});

test("every promised code is there, or is to come", () => {
  expect(promised.filter((code) => !known.has(code))).toEqual(later);
});

test("a code's status is the one that it is answered with", () => {
  for (const { code, kind } of thrown) {
    if (kind === undefined) continue;
    // Of an event in a batch, the same code stands beside a 202.
    if (code === "READER_TIMESTAMP_OUT_OF_RANGE" && kind === "invalid") continue;
    const status = httpStatus(new AppError({ kind, code, message: "" }));
    expect({ code, status }).toEqual({ code, status: known.get(code)?.status });
  }
});

/** As the formatter writes a table: columns as wide as their widest cell. */
function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  const [head, ...body] = rows;
  return [line(head!), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

test("docs/errors.md is the catalogue", async () => {
  const rows = errorCatalogue.map(({ code, status, cause, cure, who }) => [
    `\`${code}\``,
    String(status),
    cause,
    cure,
    who,
  ]);
  await expect(`# Error codes

Made from \`src/error-catalogue\`; \`npx vitest run gateway/test/error-codes -u\` writes it anew. A running gateway
shows the same at \`/docs/errors\`, with the routes that can answer with each.

${table([["Code", "Status", "Cause", "Cure", "Who gets it"], ...rows])}
`).toMatchFileSnapshot("../docs/errors.md");
});
