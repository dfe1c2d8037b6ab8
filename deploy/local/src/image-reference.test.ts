import { expect, test } from "vitest";
import { parseImage, tokenUrl, withDigest } from "./image-reference.ts";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

test.each([
  ["mongo:8.0.13", "registry-1.docker.io", "library/mongo", "8.0.13"],
  ["apache/kafka:4.1.0", "registry-1.docker.io", "apache/kafka", "4.1.0"],
  ["gcr.io/distroless/nodejs24-debian13:nonroot", "gcr.io", "distroless/nodejs24-debian13", "nonroot"],
  ["localhost:5000/own/image:1", "localhost:5000", "own/image", "1"],
])("%s is an image of its registry, with or without a digest", (reference, registry, repository, tag) => {
  expect(parseImage(reference)).toEqual({ registry, repository, tag, digest: undefined });
  expect(parseImage(withDigest(reference, DIGEST))).toEqual({ registry, repository, tag, digest: DIGEST });
});

test("a new digest replaces the one before", () => {
  const newer = `sha256:${"f".repeat(64)}`;
  expect(withDigest(`mongo:8.0.13@${DIGEST}`, newer)).toBe(`mongo:8.0.13@${newer}`);
});

test.each(["mongo", `mongo@${DIGEST}`, "mongo:8.0.13@sha256:123", "mongo:8.0.13@", "mongo:8.0.13 "])(
  "%s is refused",
  (reference) => {
    expect(() => parseImage(reference)).toThrow(/is not an image with a tag/);
  },
);

test("a token is asked for where the registry says, and nothing else than a token is given", () => {
  const challenge =
    'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:library/mongo:pull"';
  expect(String(tokenUrl(challenge))).toBe(
    "https://auth.docker.io/token?service=registry.docker.io&scope=repository%3Alibrary%2Fmongo%3Apull",
  );
  expect(() => tokenUrl('Basic realm="https://auth.docker.io/token"')).toThrow(/other than a token/);
});
