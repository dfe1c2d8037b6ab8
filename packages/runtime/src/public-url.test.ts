import { expect, test } from "vitest";
import { z } from "zod";
import { ConfigError, loadConfig } from "./config.ts";
import { publicUrlSetting, withPublicUrl } from "./public-url.ts";

const schema = z.object({ NODE_ENV: z.string(), ...publicUrlSetting }).transform(withPublicUrl);
const urlOf = (env: Record<string, string>) =>
  loadConfig(schema, { NODE_ENV: "production", ...env }).PUBLIC_URL;

test("PUBLIC_URL is required in production, and has a default otherwise", () => {
  expect(() => urlOf({})).toThrow("PUBLIC_URL: is not set");
  expect(urlOf({ NODE_ENV: "development" })).toBe("http://localhost:8080");
  expect(urlOf({ PUBLIC_URL: "https://assets.example.com" })).toBe("https://assets.example.com");
});

test("PUBLIC_URL may have a path and loses slashes at its end; a query and other protocols are refused", () => {
  expect(urlOf({ PUBLIC_URL: "https://example.com/assets//" })).toBe("https://example.com/assets");
  for (const bad of ["assets.example.com", "ftp://example.com", "https://example.com/?a=1", "https://a.b/#c"])
    expect(() => urlOf({ PUBLIC_URL: bad })).toThrow(ConfigError);
});
