import { trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { AppError } from "./errors.ts";
import { createLogger } from "./logger.ts";
import { SpanKind, startTracing, withSpan } from "./tracing.ts";

function capture() {
  const lines: string[] = [];
  const logger = createLogger({
    service: "test",
    level: "debug",
    destination: { write: (line) => void lines.push(line) },
  });
  const last = (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? "{}");
  return { logger, last, lines };
}

describe("logger", () => {
  it("secrets are redacted at any depth and in any notation, in arrays, child loggers and errors", () => {
    const { logger, lines } = capture();
    const secret = "hunter2";
    logger.info({ password: secret, headers: { Authorization: secret, "x-signature": secret } }, "one");
    logger.info({ list: [{ deep: { apiKey: secret, api_key: secret, accessToken: secret } }] }, "two");
    logger.child({ token: secret }).info("three");
    logger.error({ error: Object.assign(new Error("no"), { client_secret: secret }) }, "four");
    expect(lines.join()).not.toContain(secret);
    expect(lines).toHaveLength(4);
  });

  it("hashes of secrets are redacted", () => {
    const { logger, lines } = capture();
    const hash = "5e884898da28047151d0e56f8dc62927";
    logger.info({ password_hash: hash, tokenHash: hash, user: { access_token_hash: hash, KEY_HASH: hash } });
    expect(lines.join()).not.toContain(hash);
  });

  it("arguments of Redis commands are redacted, because the error of a refused AUTH contains the password", () => {
    const { logger, last, lines } = capture();
    const refused = Object.assign(new Error("WRONGPASS invalid username-password pair"), {
      command: { name: "auth", args: ["default", "hunter2"] },
    });
    logger.warn({ err: refused }, "one");
    logger.warn({ error: refused }, "two");
    expect(lines.join()).not.toContain("hunter2");
    expect(last()).toMatchObject({ error: { command: { name: "auth" } } });
  });

  it("fields with names that only resemble those of secrets are logged", () => {
    const { logger, last } = capture();
    const kept = { key_id: "k1", token_count: 7, request_id: "r1", body_hash: "ab" };
    logger.info(kept);
    expect(last()).toMatchObject(kept);
  });

  it("the internal detail and the cause of an error are logged", () => {
    const { logger, last } = capture();
    const cause = new Error("socket closed");
    const error = new AppError({
      kind: "internal",
      code: "INTERNAL",
      message: "public",
      detail: "inner",
      cause,
    });
    logger.error({ error }, "failed");
    expect(JSON.stringify(last())).toContain("inner");
    expect(JSON.stringify(last())).toContain("socket closed");
  });

  it("each line contains the service and, inside a span, the trace id", async () => {
    const { logger, last } = capture();
    const tracing = startTracing({ service: "test" });
    try {
      await withSpan("work", SpanKind.INTERNAL, {}, () => {
        logger.info("inside");
        expect(last()).toMatchObject({
          service: "test",
          message: "inside",
          level: "info",
          trace_id: trace.getActiveSpan()?.spanContext().traceId,
        });
      });
      logger.info("outside");
      expect(last()).not.toHaveProperty("trace_id");
    } finally {
      await tracing.stop();
    }
  });
});
