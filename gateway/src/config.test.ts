import { testKeys } from "@asset-register/harness";
import { ConfigError, loadConfig } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { configSchema } from "./config.ts";

const { privateKeyPem, trustedKeys } = testKeys("gateway");
const needed = {
  REDIS_URL: "redis://127.0.0.1:6379",
  SERVICE_PRIVATE_KEY: privateKeyPem.gateway,
  TRUSTED_KEYS: JSON.stringify(trustedKeys),
  IDENTITY_ADDRESS: "identity:1",
  REGISTER_ADDRESS: "register:1",
  TAGGING_INGEST_ADDRESS: "tagging-ingest:1",
  NOTIFICATION_ADDRESS: "notification:1",
};

test("limits are those of http.md unless told, as requests a minute and burst", () => {
  expect(loadConfig(configSchema, needed)).toMatchObject({
    RATE_LIMIT_BUSINESS: { perMinute: 600, burst: 100 },
    RATE_LIMIT_ENTERPRISE: { perMinute: 3000, burst: 500 },
    RATE_LIMIT_SESSION: { perMinute: 300, burst: 100 },
    HTTP_ADDRESS: { host: "127.0.0.1", port: 8080 },
  });
  expect(loadConfig(configSchema, { ...needed, RATE_LIMIT_SESSION: "9/1" }).RATE_LIMIT_SESSION).toEqual({
    perMinute: 9,
    burst: 1,
  });
});

test("a limit that is none is a problem of its variable", () => {
  for (const bad of ["0/1", "10", "10/0", "-1/5", "a/b"]) {
    expect(() => loadConfig(configSchema, { ...needed, RATE_LIMIT_BUSINESS: bad })).toThrow(ConfigError);
  }
});
