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
  it("ConfigError lists every problem with its variable", () => {
    const problems = problemsOf({ GRPC_ADDRESS: "nonsense", KEYRING: "{", LOG_LEVEL: "loud" });
    expect(problems.map((problem) => problem.split(":")[0]).sort()).toEqual([
      "GRPC_ADDRESS",
      "KAFKA_BROKERS",
      "KEYRING",
      "LOG_LEVEL",
    ]);
    expect(problems.find((problem) => problem.startsWith("KAFKA"))).toBe("KAFKA_BROKERS: is not set");
  });

  it("ConfigError never contains a value, because some values are secrets", () => {
    expect(problemsOf({ KEYRING: "hunter2", GRPC_ADDRESS: "hunter2" }).join()).not.toContain("hunter2");
  });

  it("an empty variable counts as not set, because charts often contain empty variables", () => {
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

  it("the problem of a JSON setting names its path in the JSON", () => {
    expect(problemsOf({ GRPC_ADDRESS: "h:1", KAFKA_BROKERS: "b:1", KEYRING: "{}" })[0]).toMatch(
      /^KEYRING \(active\): /,
    );
  });

  it("a connection string of MongoDB may list several hosts", () => {
    const text = "mongodb://a:27017,b:27017/?replicaSet=rs0";
    expect(settings.mongoUrl().parse(text)).toBe(text);
    expect(settings.mongoUrl().safeParse("http://a:27017").success).toBe(false);
  });

  it.each([
    ["127.0.0.1:80", { host: "127.0.0.1", port: 80 }],
    ["[::1]:50051", { host: "::1", port: 50051 }],
    ["register.svc.cluster.local:0", { host: "register.svc.cluster.local", port: 0 }],
  ])("the address %s is parsed", (text, expected) => {
    expect(settings.address().parse(text)).toEqual(expected);
  });

  it.each(["host", "host:", ":80", "host:70000", "::1:80", "a b:1"])("the address %s is refused", (text) => {
    expect(settings.address().safeParse(text).success).toBe(false);
  });

  it.each([
    ["register:50051", "register:50051"],
    ["[::1]:50051", "[::1]:50051"],
    ["10.0.0.1:50051, 10.0.0.2:50051", "ipv4:10.0.0.1:50051,10.0.0.2:50051"],
  ])("the upstream %s becomes a gRPC target", (text, target) => {
    expect(settings.upstream().parse(text)).toBe(target);
  });

  it.each(["register", "10.0.0.1:1,", "10.0.0.1:1,register:2", "10.0.0.1:1,10.0.0.2:70000", ""])(
    "the upstream %j is refused",
    (text) => {
      expect(settings.upstream().safeParse(text).success).toBe(false);
    },
  );

  it.each([
    ["250", 250],
    ["250ms", 250],
    ["30s", 30_000],
    ["24h", 86_400_000],
  ])("the duration %s is parsed as milliseconds", (text, ms) => {
    expect(settings.duration().parse(text)).toBe(ms);
  });

  it("a number out of bounds, and a text that only starts with a number, are refused", () => {
    const bounded = settings.integer({ min: 1, max: 5 });
    expect(bounded.safeParse("6").success).toBe(false);
    expect(bounded.safeParse("3x").success).toBe(false);
    expect(bounded.parse("5")).toBe(5);
  });

  it("a PEM block with line ends of the two characters backslash and n is parsed", () => {
    const pem = "-----BEGIN PRIVATE KEY-----\\nAAAA\\n-----END PRIVATE KEY-----\\n";
    expect(settings.pem().parse(pem)).toContain("\nAAAA\n");
    expect(settings.pem().safeParse("AAAA").success).toBe(false);
  });
});

it.each(["", "production", "development", "test"])(
  "isProduction and baseSettings agree for NODE_ENV=%s",
  (NODE_ENV) => {
    vi.stubEnv("NODE_ENV", NODE_ENV);
    const config = loadConfig(z.object(baseSettings), { NODE_ENV });
    expect(isProduction()).toBe(config.NODE_ENV === "production");
    vi.unstubAllEnvs();
  },
);
