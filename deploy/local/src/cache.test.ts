import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cached, requireChecksum } from "./cache.ts";
import { parsePins, requireJars } from "./kafka-jars.ts";

const folder = () => mkdtempSync(join(tmpdir(), "cache-"));
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("a file with a wrong checksum is an error that names both checksums", async () => {
  const file = join(folder(), "wheel");
  writeFileSync(file, "good");
  await requireChecksum(file, sha256("good"), "a wheel");
  writeFileSync(file, "evil");
  await expect(requireChecksum(file, sha256("good"), "a wheel")).rejects.toMatchObject({
    name: "LocalError",
    message: expect.stringMatching(new RegExp(`a wheel differs.*${sha256("evil")}.*${sha256("good")}`)),
    advice: expect.stringContaining("Nothing of it was run"),
  });
});

test("a failed download leaves no folder that a later start would use", async () => {
  const env = { ASSET_REGISTER_CACHE: folder() };
  const fail = async (directory: string) => {
    writeFileSync(join(directory, "half"), "");
    throw new Error("killed");
  };
  await expect(cached(env, "thing", fail)).rejects.toThrow("killed");
  expect(readdirSync(env.ASSET_REGISTER_CACHE)).toEqual([]);
});

test("two concurrent downloads both return the complete folder, and a third call does not download", async () => {
  const env = { ASSET_REGISTER_CACHE: folder() };
  let fills = 0;
  const fill = async (directory: string) => {
    fills += 1;
    writeFileSync(join(directory, "program"), "whole");
    await new Promise((resolve) => setImmediate(resolve));
  };
  const [one, two] = await Promise.all([cached(env, "thing", fill), cached(env, "thing", fill)]);
  expect(one).toBe(two);
  await cached(env, "thing", fill);
  expect(fills).toBe(2);
  expect(readFileSync(join(one, "program"), "utf8")).toBe("whole");
  expect(readdirSync(env.ASSET_REGISTER_CACHE)).toEqual(["thing"]);
});

test("the temporary folder of a killed download is removed, that of a running download is kept", async () => {
  const cache = folder();
  for (const name of [".thing-old", ".thing-new"]) writeFileSync(join(cache, name), "");
  const longAgo = new Date(Date.now() - 7_200_000);
  utimesSync(join(cache, ".thing-old"), longAgo, longAgo);
  await cached({ ASSET_REGISTER_CACHE: cache }, "other", async () => {});
  expect(existsSync(join(cache, ".thing-old"))).toBe(false);
  expect(existsSync(join(cache, ".thing-new"))).toBe(true);
});

test("a class path with an extra, missing or changed jar is rejected", async () => {
  const jars = folder();
  const pins = parsePins(`${sha256("a")}  a.jar\n${sha256("b")}  b.jar\n`);
  writeFileSync(join(jars, "a.jar"), "a");
  await expect(requireJars(jars, pins)).rejects.toThrow("b.jar is missing");
  writeFileSync(join(jars, "b.jar"), "b");
  await requireJars(jars, pins);
  writeFileSync(join(jars, "c.jar"), "c");
  await expect(requireJars(jars, pins)).rejects.toThrow("c.jar is not pinned");
  await expect(requireJars(jars, new Map([...pins, ["c.jar", sha256("x")]]))).rejects.toThrow(
    "c.jar differs",
  );
});

test("the pinned jars have the Kafka version of pom.xml", () => {
  const kafka = join(import.meta.dirname, "../kafka");
  const version = /<artifactId>kafka_2\.13<\/artifactId>\s*<version>([^<]+)</.exec(
    readFileSync(join(kafka, "pom.xml"), "utf8"),
  )?.[1];
  expect(parsePins(readFileSync(join(kafka, "jars.sha256"), "utf8")).has(`kafka_2.13-${version}.jar`)).toBe(
    true,
  );
});
