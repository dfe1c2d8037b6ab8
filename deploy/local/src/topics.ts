import { existsSync } from "node:fs";
import { join } from "node:path";
import { LocalError } from "./errors.ts";
import { runTool } from "./run-tool.ts";
import type { Environment, Progress } from "./types.ts";

/**
 * Makes the topics by the same command as in production, as a process of its
 * own: this workspace starts servers for the tests of the packages that the
 * command is made of, so it must not depend on them.
 */
export async function createTopics(options: {
  root: string;
  env: Environment;
  progress: Progress;
}): Promise<void> {
  const command = join(options.root, "deploy/cli/src/main.ts");
  if (!existsSync(command))
    throw new LocalError("deploy/cli is missing, which makes the topics.", "Restore it from the repository.");
  await runTool({
    command: process.execPath,
    args: ["--disable-warning=TimeoutNegativeWarning", command, "topics", "create"],
    env: options.env,
    what: "kafka: making the topics",
    progress: options.progress,
    missing: () => new LocalError("Node can't start itself.", "Reinstall it: 24 or newer is needed."),
    advice: "Read what it said; the topics can be made again by starting again.",
  });
  options.progress("kafka: the topics are there");
}
