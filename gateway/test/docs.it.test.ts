import { afterAll, describe, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const gateway = await startGateway();
afterAll(() => gateway.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, { headers, redirect: "manual" });

const pages = [
  "/docs",
  "/docs/errors",
  "/docs/events",
  "/docs/events/work-order.v1",
  "/docs/asyncapi.json",
  "/docs/errors.css",
  "/docs/scalar.js",
  "/docs/start.js",
  "/docs/icon.svg",
];
const documents = ["/openapi/surface-a.json", "/openapi/surface-b.json"];

describe.each([...pages, ...documents])("%s", (path) => {
  test("the page is public, has security headers, and may be cached for five minutes", async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "public, max-age=300",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      vary: "accept-encoding",
    });
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  test("the page is 304 when If-None-Match contains its ETag", async () => {
    const etag = (await get(path)).headers.get("etag") ?? "";
    const again = await get(path, { "if-none-match": etag });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    expect((await get(path, { "if-none-match": '"another"' })).status).toBe(200);
  });

  test("the page is compressed as the client accepts it, with the same content", async () => {
    const plain = await get(path, { "accept-encoding": "identity" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    const text = await plain.text();
    for (const [accepted, encoding] of [
      ["gzip", "gzip"],
      ["gzip, deflate, br", "br"],
      ["br;q=0, gzip;q=0.5", "gzip"],
      ["gzip;q=0", null],
    ] as const) {
      const packed = await get(path, { "accept-encoding": accepted });
      expect(packed.headers.get("content-encoding")).toBe(encoding);
      expect(await packed.text()).toBe(text);
    }
  });
});

test("the pages run only scripts from files of this host", async () => {
  for (const path of ["/docs", "/docs/errors", "/docs/events"]) {
    const response = await get(path);
    expect(response.headers.get("content-security-policy")).toContain("script-src 'self';");
    const text = await response.text();
    expect(text).not.toMatch(/<script(?![^>]* src="\/docs\/)/);
    expect(text).not.toMatch(/https?:/);
  }
});
