import { existsSync } from "node:fs";
import { join } from "node:path";
import { LocalError } from "./errors.ts";
import { runTool } from "./run-tool.ts";
import type { Environment, Progress } from "./types.ts";

/**
 * Creates the topics with the same command as in production, in a process of its own. This workspace starts the
 * servers for the tests of the packages that the command uses, so it must not import them.
 * @throws LocalError if the command is missing or fails
 */
export async function createTopics(options: {
  root: string;
  env: Environment;
  progress: Progress;
}): Promise<void> {
  const command = join(options.root, "deploy/cli/src/main.ts");
  if (!existsSync(command))
    throw new LocalError(
      "deploy/cli, which creates the topics, is missing.",
      "Restore it from the repository.",
    );
  await runTool({
    command: process.execPath,
    args: [command, "topics", "create"],
    env: options.env,
    what: "kafka: creating the topics",
    progress: options.progress,
    missing: () =>
      new LocalError("Node can't start itself.", "Reinstall Node: version 24 or newer is required."),
    advice: "See its output. The next start creates the topics again.",
  });
  options.progress("kafka: the topics exist");
}
