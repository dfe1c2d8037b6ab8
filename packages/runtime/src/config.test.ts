import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { baseSettings, ConfigError, isProduction, loadConfig, settings } from "./config.ts";

const schema = z.object({
  ...baseSettings,
  GRPC_ADDRESS: settings.address(),
  KAFKA_BROKERS: settings.list(),
  KEYRING: settings.json(z.object({ active: z.string() })),
});

function problemsOf(env: Record<string, string | undefined>): string[] {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("configuration", () => {
  it("lists every problem at once with its variable", () => {
    const problems = problemsOf({ GRPC_ADDRESS: "nonsense", KEYRING: "{", LOG_LEVEL: "loud" });
    expect(problems.map((problem) => problem.split(":")[0]).sort()).toEqual([
      "GRPC_ADDRESS",
      "KAFKA_BROKERS",
      "KEYRING",
      "LOG_LEVEL",
    ]);
    expect(problems.find((problem) => problem.startsWith("KAFKA"))).toBe("KAFKA_BROKERS: is not set");
  });

  it("never shows a value, as some are secrets", () => {
    expect(problemsOf({ KEYRING: "hunter2", GRPC_ADDRESS: "hunter2" }).join()).not.toContain("hunter2");
  });

  it("takes an empty variable for one that is not set, as charts leave them behind", () => {
    const env = { GRPC_ADDRESS: "0.0.0.0:9000", KAFKA_BROKERS: "a:1, b:2,", KEYRING: '{"active":"k1"}' };
    const config = loadConfig(schema, { ...env, LOG_LEVEL: "" });
    expect(config).toMatchObject({
      LOG_LEVEL: "info",
      KAFKA_BROKERS: ["a:1", "b:2"],
      GRPC_ADDRESS: { host: "0.0.0.0", port: 9000 },
      HEALTH_ADDRESS: { host: "0.0.0.0", port: 9090 },
      SHUTDOWN_TIMEOUT_MS: 25_000,
    });
  });

  it("names the place inside a JSON setting", () => {
    expect(problemsOf({ GRPC_ADDRESS: "h:1", KAFKA_BROKERS: "b:1", KEYRING: "{}" })[0]).toMatch(
      /^KEYRING \(active\): /,
    );
  });

  it.each([
    ["127.0.0.1:80", { host: "127.0.0.1", port: 80 }],
    ["[::1]:50051", { host: "::1", port: 50051 }],
    ["register.svc.cluster.local:0", { host: "register.svc.cluster.local", port: 0 }],
  ])("reads the address %s", (text, expected) => {
    expect(settings.address().parse(text)).toEqual(expected);
  });

  it.each(["host", "host:", ":80", "host:70000", "::1:80", "a b:1"])("refuses the address %s", (text) => {
    expect(settings.address().safeParse(text).success).toBe(false);
  });

  it.each([
    ["250", 250],
    ["250ms", 250],
    ["30s", 30_000],
    ["24h", 86_400_000],
  ])("reads the duration %s", (text, ms) => {
    expect(settings.duration().parse(text)).toBe(ms);
  });

  it("refuses a whole number out of bounds, and text that only starts like one", () => {
    const bounded = settings.integer({ min: 1, max: 5 });
    expect(bounded.safeParse("6").success).toBe(false);
    expect(bounded.safeParse("3x").success).toBe(false);
    expect(bounded.parse("5")).toBe(5);
  });

  it("understands a PEM whose line ends were written as two characters", () => {
    const pem = "-----BEGIN PRIVATE KEY-----\\nAAAA\\n-----END PRIVATE KEY-----\\n";
    expect(settings.pem().parse(pem)).toContain("\nAAAA\n");
    expect(settings.pem().safeParse("AAAA").success).toBe(false);
  });
});

it.each(["", "production", "development", "test"])(
  "isProduction and baseSettings read NODE_ENV=%s alike",
  (NODE_ENV) => {
    vi.stubEnv("NODE_ENV", NODE_ENV);
    const config = loadConfig(z.object(baseSettings), { NODE_ENV });
    expect(isProduction()).toBe(config.NODE_ENV === "production");
    vi.unstubAllEnvs();
  },
);
