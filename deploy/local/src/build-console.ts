import { join } from "node:path";
import { LocalError } from "./errors.ts";
import { runTool } from "./run-tool.ts";
import type { Progress } from "./types.ts";

const ROOT = join(import.meta.dirname, "../../..");

/**
 * Builds the console, or takes the last build if nothing has changed (turbo). Returns its folder.
 * @throws LocalError if the build fails
 */
export async function buildConsole(progress: Progress): Promise<string> {
  progress("console: building (takes up to a minute, then it is cached)");
  await runTool({
    command: join(ROOT, "node_modules/.bin/turbo"),
    args: ["run", "build", "--filter=@asset-register/console", "--output-logs=errors-only"],
    what: "console: building",
    env: process.env,
    progress,
    missing: () => new LocalError("turbo is not installed.", "Run `npm ci` in the repository."),
    advice: "The pages can't be built.",
  });
  return join(ROOT, "apps/console/dist");
}
