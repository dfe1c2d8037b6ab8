import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cached, requireChecksum } from "./cache.ts";
import { LocalError } from "./errors.ts";
import { runTool } from "./run-tool.ts";
import type { Environment, Progress } from "./types.ts";

const directory = join(import.meta.dirname, "..", "kafka");

/** Of the pinned Kafka, for humans and the data folder's name; kafka/pom.xml decides. */
export const kafkaVersion = "4.3.0";

/** Kafka's class path and log settings, fetched with Maven when the cache has none. */
export async function fetchKafka(
  env: Environment,
  progress: Progress,
): Promise<{ classPath: string; logSettings: string }> {
  const pins = readFileSync(join(directory, "jars.sha256"), "utf8");
  const name = `kafka-${kafkaVersion}-${createHash("sha256").update(pins).digest("hex").slice(0, 12)}`;
  const jars = await cached(env, name, async (temporary) => {
    progress(`fetching kafka ${kafkaVersion} with Maven, once`);
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
      what: "fetching kafka",
      env,
      progress,
      missing: () =>
        new LocalError(
          "Maven is needed to fetch Kafka, and `mvn` was not found on PATH.",
          "Install it (Debian: `apt install maven`), or start a Docker engine, or name a running broker with KAFKA_BROKERS.",
        ),
    });
    await requireJars(temporary, parsePins(pins));
  });
  return { classPath: join(jars, "*"), logSettings: join(directory, "log4j2.properties") };
}

/** Exactly the pinned files with the pinned bytes: one more jar on a class path is code that runs too. */
export async function requireJars(folder: string, pins: ReadonlyMap<string, string>): Promise<void> {
  const found = new Set(readdirSync(folder));
  const different = [
    ...[...pins.keys()].filter((file) => !found.has(file)).map((file) => `${file} is missing`),
    ...[...found].filter((file) => !pins.has(file)).map((file) => `${file} is not pinned`),
  ];
  if (different.length > 0)
    throw new LocalError(
      `Maven fetched other files for Kafka than those pinned: ${different.join(", ")}.`,
      "Nothing of it was run. Check kafka/pom.xml against kafka/jars.sha256 in deploy/local.",
    );
  for (const [file, sha256] of pins) await requireChecksum(join(folder, file), sha256, file);
}

/** Lines of `sha256sum`: hash, two spaces, file. */
export function parsePins(text: string): Map<string, string> {
  return new Map(
    text.split("\n").flatMap((line): [string, string][] => {
      const [, hash, file] = /^([0-9a-f]{64}) [ *](\S+)$/.exec(line) ?? [];
      return hash === undefined || file === undefined ? [] : [[file, hash]];
    }),
  );
}
