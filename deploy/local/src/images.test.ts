import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import images from "../../images.json" with { type: "json" };
import { parseImage } from "./image-reference.ts";
import { imageOf } from "./images.ts";

test("compose.yaml and images.json pin the same images", () => {
  const compose = readFileSync(join(import.meta.dirname, "../../compose.yaml"), "utf8");
  const used = [...compose.matchAll(/^\s+image: (\S+)$/gm)].map((match) => match[1]);
  expect(used.sort()).toEqual([imageOf("mongo"), imageOf("kafka"), imageOf("redis")].sort());
});

test("every image of a server is pinned to an exact version", () => {
  for (const name of ["mongo", "kafka", "redis"] as const)
    expect(parseImage(imageOf(name)).tag).toMatch(/^\d+\.\d+\.\d+$/);
});

test("either every image is pinned by digest, or none is: `npm run pin-images` pins all", () => {
  const pinned = Object.values(images).map((image) => parseImage(image).digest !== undefined);
  expect(new Set(pinned).size).toBe(1);
});
