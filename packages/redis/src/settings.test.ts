import { ConfigError, createCertificateWatch, createLogger, loadConfig } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { z } from "zod";
import { redisOptions, redisSettings } from "./index.ts";

const certificates = createCertificateWatch({ logger: createLogger({ service: "test", level: "silent" }) });

const optionsOf = (env: Record<string, string>) =>
  redisOptions(loadConfig(z.object(redisSettings), env), certificates);

test("Redis is one server, the primary that Sentinels know, or a cluster; REDIS_URL gives the others their access", () => {
  const REDIS_URL = "rediss://user:password@unused/2";
  expect(optionsOf({ REDIS_URL })).toMatchObject({ url: REDIS_URL, timeoutMs: 50 });
  expect(
    optionsOf({ REDIS_URL, REDIS_SENTINELS: "a:26379, b:26379", REDIS_SENTINEL_NAME: "main" }),
  ).toMatchObject({
    url: REDIS_URL,
    sentinels: {
      addresses: [
        { host: "a", port: 26379 },
        { host: "b", port: 26379 },
      ],
      name: "main",
    },
  });
  expect(optionsOf({ REDIS_CLUSTER: "[::1]:6379" })).toMatchObject({
    url: undefined,
    cluster: [{ host: "::1", port: 6379 }],
  });
});

test.each([
  ["REDIS_URL", {}],
  ["REDIS_URL", { REDIS_CLUSTER: "a:1", REDIS_URL: "redis://a:1/3" }],
  ["REDIS_CLUSTER", { REDIS_CLUSTER: "a:1", REDIS_SENTINELS: "a:2", REDIS_SENTINEL_NAME: "main" }],
  ["REDIS_SENTINEL_NAME", { REDIS_SENTINELS: "a:1" }],
  ["REDIS_SENTINEL_NAME", { REDIS_URL: "redis://a:1", REDIS_SENTINEL_NAME: "main" }],
  ["REDIS_SENTINEL_PASSWORD", { REDIS_URL: "redis://a:1", REDIS_SENTINEL_PASSWORD: "secret" }],
  ["REDIS_SENTINELS (0)", { REDIS_SENTINELS: "a", REDIS_SENTINEL_NAME: "main" }],
  ["REDIS_CLUSTER (1)", { REDIS_CLUSTER: "a:1,b" }],
] as const)(
  "settings that name no Redis, or not exactly one, are a ConfigError that names %s: %o",
  (name, env) => {
    try {
      optionsOf(env);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      expect((error as ConfigError).problems).toEqual([expect.stringContaining(`${name}: `)]);
    }
  },
);
