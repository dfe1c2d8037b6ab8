import { LocalError } from "./errors.ts";
import { runTool } from "./run-tool.ts";
import type { Environment, Progress } from "./types.ts";

/**
 * The cheapest Java for a broker with little to do: its start takes half of the CPU time, and idle it uses a quarter
 * less. A busy broker needs the second compiler and the collector of the JVM's own choice, so benchmarks use those.
 */
export const CHEAP_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

const advice =
  "Install a Java runtime 17 or newer (Debian: `apt install openjdk-17-jre-headless`), start a Docker engine, or name a running broker with KAFKA_BROKERS.";

/**
 * Checks that `java` on PATH is 17 or newer, which Kafka 4 needs.
 * @throws LocalError if it is missing or older
 */
export async function requireJava(env: Environment, progress: Progress): Promise<void> {
  const { stdout, stderr } = await runTool({
    command: "java",
    args: ["-version"],
    what: "kafka: checking the Java version",
    env,
    progress,
    missing: javaMissing,
  });
  const major = javaMajor(`${stdout}${stderr}`);
  if (major !== undefined && major < 17)
    throw new LocalError(`Kafka 4 needs Java 17 or newer; the version on PATH is ${major}.`, advice);
}

/** The error for a machine without Java. */
export function javaMissing(): LocalError {
  return new LocalError("Java is needed to run Kafka, but it is not on PATH.", advice);
}

/** Reads the major version from the output of `java -version`. "1.8.0" is 8. */
export function javaMajor(output: string): number | undefined {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(output) ?? [];
  return first === undefined ? undefined : Number(first === "1" ? second : first);
}
