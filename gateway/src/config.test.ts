import { testKeys } from "@asset-register/harness";
import { ConfigError, loadConfig } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { configSchema } from "./config.ts";

const { privateKeyPem, trustedKeys } = testKeys("gateway");
const needed = {
  PUBLIC_URL: "https://assets.example.com",
  REDIS_URL: "redis://127.0.0.1:6379",
  SERVICE_PRIVATE_KEY: privateKeyPem.gateway,
  TRUSTED_KEYS: JSON.stringify(trustedKeys),
  IDENTITY_ADDRESS: "identity:1",
  REGISTER_ADDRESS: "register:1",
  TAGGING_INGEST_ADDRESS: "tagging-ingest:1",
  NOTIFICATION_ADDRESS: "notification:1",
  STOCKTAKE_ADDRESS: "stocktake:1",
  MAINTENANCE_ADDRESS: "maintenance:1",
  FINANCE_ADDRESS: "finance:1",
};

test("rate limits are requests per minute and burst, with the defaults of http.md", () => {
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

test("a malformed rate limit is a ConfigError", () => {
  for (const bad of ["0/1", "10", "10/0", "-1/5", "a/b"]) {
    expect(() => loadConfig(configSchema, { ...needed, RATE_LIMIT_BUSINESS: bad })).toThrow(ConfigError);
  }
});

test("TRUSTED_PROXIES are addresses and CIDR blocks, and none of IPv4-mapped addresses below /96", () => {
  const proxies = (TRUSTED_PROXIES: string) =>
    loadConfig(configSchema, { ...needed, TRUSTED_PROXIES }).TRUSTED_PROXIES;
  expect(proxies("127.0.0.1, 10.0.0.0/8,2001:db8::/48,::ffff:10.0.0.0/104")).toHaveLength(4);
  for (const bad of ["loopback", "10.0.0.0/33", "10.0.0.1:80", "::ffff:10.0.0.0/8", "127.0.0.1,all"]) {
    expect(() => proxies(bad)).toThrow(ConfigError);
  }
});

test("CORS_ORIGINS is *, or a list of origins in the form that browsers send", () => {
  const origins = (CORS_ORIGINS?: string) =>
    loadConfig(configSchema, { ...needed, CORS_ORIGINS }).CORS_ORIGINS;
  expect(origins()).toBeUndefined();
  expect(origins("*")).toEqual(["*"]);
  expect(origins("https://app.example.com, http://localhost:5173")).toHaveLength(2);
  for (const bad of ["*,https://app.example.com", "app.example.com", "https://app.example.com/", "null"]) {
    expect(() => origins(bad)).toThrow(ConfigError);
  }
  for (const bad of ["https://*.example.com", "https://app.example.com:443", "HTTPS://app.example.com"]) {
    expect(() => origins(bad)).toThrow(ConfigError);
  }
});

test("DEMO_SIGN_IN is refused in production", () => {
  const load = (NODE_ENV: string) =>
    loadConfig(configSchema, { ...needed, NODE_ENV, DEMO_SIGN_IN: "/tmp/demo.json" });
  expect(load("development").DEMO_SIGN_IN).toBe("/tmp/demo.json");
  expect(() => load("production")).toThrow(/DEMO_SIGN_IN: is not allowed in production/);
});
