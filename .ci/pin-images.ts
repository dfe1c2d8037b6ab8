/**
 * Pins the images of deploy/images.json by digest: asks their registries for the digest of each tag, and writes
 * `name:tag@sha256:...` to images.json and to the files that use the same images. It needs the network, no engine.
 * Run it again after a tag was changed.
 *
 *   node .ci/pin-images.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseImage, tokenUrl, withDigest } from "../deploy/local/src/image-reference.ts";

const IMAGES = "deploy/images.json";
const USERS = ["deploy/compose.yaml", "deploy/Dockerfile"];
/** The index of all platforms, before the image of one. */
const ACCEPT = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

async function digestOf(reference: string): Promise<string> {
  const { registry, repository, tag } = parseImage(reference);
  const url = `https://${registry}/v2/${repository}/manifests/${tag}`;
  let response = await fetch(url, { method: "HEAD", headers: { accept: ACCEPT } });
  if (response.status === 401) {
    const answer = await fetch(tokenUrl(response.headers.get("www-authenticate") ?? ""));
    const { token, access_token = token }: { token?: string; access_token?: string } = await answer.json();
    const headers = { accept: ACCEPT, authorization: `Bearer ${access_token}` };
    response = await fetch(url, { method: "HEAD", headers });
  }
  const digest = response.headers.get("docker-content-digest");
  if (!response.ok || digest === null) throw new Error(`${url} answered ${response.status} without a digest`);
  return digest;
}

const images: Record<string, string> = JSON.parse(readFileSync(IMAGES, "utf8"));
const files = new Map([IMAGES, ...USERS].map((file) => [file, readFileSync(file, "utf8")]));
// All digests before the first write: a failure changes nothing.
const pinned = await Promise.all(
  Object.values(images).map(async (before) => [before, withDigest(before, await digestOf(before))] as const),
);
for (const [before, after] of pinned) {
  for (const [file, text] of files) files.set(file, text.replaceAll(before, after));
  process.stdout.write(`${after}\n`);
}
for (const [file, text] of files) writeFileSync(file, text);
