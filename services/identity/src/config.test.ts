import { testKeys } from "@asset-register/harness";
import { ConfigError, loadConfig } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { configSchema } from "./config.ts";

const { privateKeyPem, trustedKeys } = testKeys("identity");
const needed = {
  PUBLIC_URL: "https://assets.example.com",
  MONGO_URL: "mongodb://m",
  KAFKA_BROKERS: "k:1",
  REDIS_URL: "redis://r",
  SERVICE_PRIVATE_KEY: privateKeyPem.identity,
  TRUSTED_KEYS: JSON.stringify(trustedKeys),
  KEYRING: JSON.stringify({ active: "k1", keys: { k1: Buffer.alloc(32).toString("base64") } }),
  TOKEN_PEPPER: "x".repeat(32),
};
const smtp = { SMTP_URL: "smtp://mail:25", MAIL_FROM: "register@example.com" };
const tokens = (settings: Record<string, string>) =>
  loadConfig(configSchema, { ...needed, ...settings }).INVITATION_TOKENS;

test("the token of an invitation is mailed when there is a mail server, unless the operator wants it in the answer", () => {
  expect(tokens({ NODE_ENV: "development" })).toBe("answer");
  expect(tokens(smtp)).toBe("mail");
  expect(tokens({ ...smtp, INVITATION_TOKENS: "answer" })).toBe("answer");
});

test("in production without a mail server, tokens in answers have to be wanted by name", () => {
  expect(() => tokens({ NODE_ENV: "production" })).toThrow(/INVITATION_TOKENS/);
  // Production is the default.
  expect(() => tokens({})).toThrow(/INVITATION_TOKENS/);
  expect(tokens({ NODE_ENV: "production", INVITATION_TOKENS: "answer" })).toBe("answer");
  expect(tokens({ NODE_ENV: "production", ...smtp })).toBe("mail");
});

test("INVITATION_TOKENS=mail without a mail server is refused", () => {
  expect(() => tokens({ INVITATION_TOKENS: "mail" })).toThrow(ConfigError);
  expect(() => tokens({ INVITATION_TOKENS: "post" })).toThrow(ConfigError);
});

test("INVITATION_URL is a page", () => {
  expect(tokens({ ...smtp, INVITATION_URL: "https://app.example.com/welcome" })).toBe("mail");
  for (const bad of ["app.example.com", "javascript:alert(1)"]) {
    expect(() => tokens({ ...smtp, INVITATION_URL: bad })).toThrow(ConfigError);
  }
});

test("private issuers are URLs, and https in production", () => {
  const issuers = (SSO_PRIVATE_ISSUERS: string, more = {}) =>
    loadConfig(configSchema, { ...needed, ...smtp, SSO_PRIVATE_ISSUERS, ...more }).SSO_PRIVATE_ISSUERS;
  expect(issuers("https://login.corp,https://10.0.0.7/realms/acme")).toHaveLength(2);
  expect(() => issuers("http://login.corp")).toThrow(/SSO_PRIVATE_ISSUERS/);
  expect(issuers("http://login.corp", { NODE_ENV: "development" })).toEqual(["http://login.corp"]);
  for (const bad of ["login.corp", "file:///etc/passwd"]) expect(() => issuers(bad)).toThrow(ConfigError);
});
