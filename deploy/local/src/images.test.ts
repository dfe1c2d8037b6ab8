import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { imageOf } from "./images.ts";

test("compose.yaml and images.json pin the same images", () => {
  const compose = readFileSync(join(import.meta.dirname, "../../compose.yaml"), "utf8");
  const images = [...compose.matchAll(/^\s+image: (\S+)$/gm)].map((match) => match[1]);
  expect(images.sort()).toEqual([imageOf("mongo"), imageOf("kafka"), imageOf("redis")].sort());
});

test("every image is pinned to an exact version", () => {
  for (const name of ["mongo", "kafka", "redis"] as const) expect(imageOf(name)).toMatch(/:\d+\.\d+\.\d+$/);
});
