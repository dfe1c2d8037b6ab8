import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cached, requireChecksum } from "./cache.ts";
import { LocalError } from "./errors.ts";
import { runTool } from "./run-tool.ts";
import type { Environment, Progress } from "./types.ts";

const directory = join(import.meta.dirname, "..", "kafka");

/** The version of the pinned Kafka, for messages and the name of the data folder. kafka/pom.xml selects it. */
export const kafkaVersion = "4.3.0";

/**
 * Kafka's class path and log settings. Downloads the jars with Maven if the cache does not have them.
 * @throws LocalError if Maven is missing or fails, or if a jar differs from its pinned checksum
 */
export async function fetchKafka(
  env: Environment,
  progress: Progress,
): Promise<{ classPath: string; logSettings: string }> {
  const pins = readFileSync(join(directory, "jars.sha256"), "utf8");
  const name = `kafka-${kafkaVersion}-${createHash("sha256").update(pins).digest("hex").slice(0, 12)}`;
  const jars = await cached(env, name, async (temporary) => {
    progress(`downloading kafka ${kafkaVersion} with Maven (only once)`);
    await runTool({
      command: "mvn",
      args: [
        "--batch-mode",
        "--quiet",
        "--strict-checksums",
        "--file",
        join(directory, "pom.xml"),
        "dependency:copy-dependencies",
        "-DincludeScope=runtime",
        `-DoutputDirectory=${temporary}`,
      ],
      what: "downloading kafka",
      env,
      progress,
      missing: () =>
        new LocalError(
          "Maven is needed to download Kafka, but `mvn` is not on PATH.",
          "Install it (Debian: `apt install maven`), start a Docker engine, or name a running broker with KAFKA_BROKERS.",
        ),
    });
    await requireJars(temporary, parsePins(pins));
  });
  return { classPath: join(jars, "*"), logSettings: join(directory, "log4j2.properties") };
}

/**
 * Checks that the folder has exactly the pinned files with the pinned checksums. An extra jar on the class path
 * would be unchecked code that runs.
 * @throws LocalError if a file is missing, not pinned or different
 */
export async function requireJars(folder: string, pins: ReadonlyMap<string, string>): Promise<void> {
  const found = new Set(readdirSync(folder));
  const different = [
    ...[...pins.keys()].filter((file) => !found.has(file)).map((file) => `${file} is missing`),
    ...[...found].filter((file) => !pins.has(file)).map((file) => `${file} is not pinned`),
  ];
  if (different.length > 0)
    throw new LocalError(
      `Maven downloaded files for Kafka that differ from the pinned ones: ${different.join(", ")}.`,
      "Nothing of it was run. Compare kafka/pom.xml with kafka/jars.sha256 in deploy/local.",
    );
  for (const [file, sha256] of pins) await requireChecksum(join(folder, file), sha256, file);
}

/** Parses the output of `sha256sum` (hash, two spaces, file) to checksums by file name. */
export function parsePins(text: string): Map<string, string> {
  return new Map(
    text.split("\n").flatMap((line): [string, string][] => {
      const [, hash, file] = /^([0-9a-f]{64}) [ *](\S+)$/.exec(line) ?? [];
      return hash === undefined || file === undefined ? [] : [[file, hash]];
    }),
  );
}
