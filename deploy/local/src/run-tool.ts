import { execFile } from "node:child_process";
import { codeOf, LocalError } from "./errors.ts";
import { killOnExit } from "./shutdown.ts";
import type { Environment, Progress } from "./types.ts";

export type Tool = {
  command: string;
  args: string[];
  /** The text of the progress line. */
  what: string;
  env: Environment;
  progress: Progress;
  /** Makes the error for a missing command. */
  missing: () => LocalError;
  /** Advice for the user if it fails. Default: advice for downloads. */
  advice?: string;
};

export type ToolOutput = { stdout: string; stderr: string };

/**
 * Runs a helper program and returns its output. The program is killed when this process exits.
 * @throws LocalError with the last lines of its output if it fails
 */
export function runTool(tool: Tool): Promise<ToolOutput> {
  const start = Date.now();
  const timer = setInterval(
    () => tool.progress(`${tool.what} (${Math.round((Date.now() - start) / 1000)} s)`),
    3_000,
  );
  let cancelKill = () => {};
  return new Promise<ToolOutput>((resolve, reject) => {
    const child = execFile(
      tool.command,
      tool.args,
      { maxBuffer: 16 * 1024 * 1024, env: { ...tool.env } },
      (error, stdout, stderr) => {
        if (error === null) resolve({ stdout, stderr });
        else reject(explain(tool, error, `${stdout}\n${stderr}`));
      },
    );
    cancelKill = killOnExit(() => child.kill("SIGKILL"));
  }).finally(() => {
    clearInterval(timer);
    cancelKill();
  });
}

const downloadAdvice = "Check the network and the package registry settings of this machine. Then try again.";

function explain(tool: Tool, error: Error, output: string): LocalError {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "EACCES" || /No module named pip/.test(output)) return tool.missing();
  if (/no space left on device/i.test(output))
    return new LocalError(
      "The disk is full.",
      "Free some disk space, or move the cache with ASSET_REGISTER_CACHE.",
      { cause: error },
    );
  const tail = output
    .trim()
    .split("\n")
    .slice(-6)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join("\n");
  return new LocalError(
    `\`${tool.command} ${tool.args.slice(0, 3).join(" ")} ...\` failed.`,
    `${tool.advice ?? downloadAdvice} Its output:\n${tail}`,
    { cause: error },
  );
}
