import { notFound } from "@asset-register/runtime";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { type Deprecation, declared } from "../http/routes.ts";
import { deprecations } from "./deprecations.ts";

const OLD: Deprecation = { since: "2026-01-31", sunset: "2026-07-31" };

/** A server with a deprecated route, a deprecated route that fails, and another route. */
async function serverWith(deprecated: Deprecation) {
  const app = Fastify();
  await app.register(deprecations);
  const config = { ...declared({ public: true }), deprecated };
  app.get("/old", { config }, async () => ({}));
  app.get("/old/missing", { config }, async () => {
    throw notFound();
  });
  app.get("/new", { config: declared({ public: true }) }, async () => ({}));
  return app;
}

test("a deprecated route sends Deprecation, Sunset and Link on every response, errors included", async () => {
  const app = await serverWith({ ...OLD, link: "https://example.com/changes", successor: "/v2/things" });
  for (const request of [
    { url: "/old" },
    { url: "/old", method: "HEAD" as const },
    { url: "/old/missing" },
  ]) {
    const { headers } = await app.inject(request);
    // Calculated by hand for 2026-01-31 and 2026-07-31, midnight UTC.
    expect(headers).toMatchObject({
      deprecation: "@1769817600",
      sunset: "Fri, 31 Jul 2026 00:00:00 GMT",
      link: '<https://example.com/changes>; rel="deprecation"; type="text/html", </v2/things>; rel="successor-version"',
    });
  }
});

test("other routes send no such headers, and a deprecation without a page or successor sends no Link", async () => {
  const app = await serverWith(OLD);
  const { headers } = await app.inject({ url: "/new" });
  for (const name of ["deprecation", "sunset", "link"]) expect(headers).not.toHaveProperty(name);
  expect((await app.inject({ url: "/old" })).headers).not.toHaveProperty("link");
});

test("boot fails when the sunset is less than six months after the deprecation", async () => {
  await expect(serverWith({ ...OLD, sunset: "2026-07-30" })).rejects.toThrow(
    "Route GET /old has its sunset less than six months after its deprecation",
  );
});

test("boot fails for a deprecation date that is not a day", async () => {
  for (const wrong of ["soon", "2026-13-01", "2026-02-31", "2026-1-1", ""]) {
    await expect(serverWith({ ...OLD, since: wrong })).rejects.toThrow("is not a day");
    await expect(serverWith({ ...OLD, sunset: wrong })).rejects.toThrow("is not a day");
  }
});
