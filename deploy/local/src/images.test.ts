import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { imageOf } from "./images.ts";

test("compose runs exactly the images that are pinned, so that both ways give the same servers", () => {
  const compose = readFileSync(join(import.meta.dirname, "../../compose.yaml"), "utf8");
  const named = [...compose.matchAll(/^\s+image: (\S+)$/gm)].map((match) => match[1]);
  expect(named.sort()).toEqual([imageOf("mongo"), imageOf("kafka"), imageOf("redis")].sort());
});

test("every image is pinned to one version, never to a tag that moves", () => {
  for (const name of ["mongo", "kafka", "redis"] as const) expect(imageOf(name)).toMatch(/:\d+\.\d+\.\d+$/);
});
