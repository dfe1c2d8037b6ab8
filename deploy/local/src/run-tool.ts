import { execFile } from "node:child_process";
import { killWithUs } from "./ending.ts";
import { codeOf, LocalError } from "./errors.ts";
import type { Environment, Progress } from "./types.ts";

export type Tool = {
  command: string;
  args: string[];
  /** For the progress line while it runs. */
  what: string;
  env: Environment;
  progress: Progress;
  /** When the command itself is not there. */
  missing: () => LocalError;
  /** What to do when it fails; default: for one that fetches. */
  advice?: string;
};

export type ToolOutput = { stdout: string; stderr: string };

/** Runs a helper program to its end, or to ours, and returns its output; its failure is a LocalError with its last words. */
export function runTool(tool: Tool): Promise<ToolOutput> {
  const start = Date.now();
  const timer = setInterval(
    () => tool.progress(`${tool.what} (${Math.round((Date.now() - start) / 1000)} s)`),
    3_000,
  );
  let gone = () => {};
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
    gone = killWithUs(() => child.kill("SIGKILL"));
  }).finally(() => {
    clearInterval(timer);
    gone();
  });
}

const fetchAdvice = "Check the network and the package registry's settings of this machine, then try again.";

function explain(tool: Tool, error: Error, output: string): LocalError {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "EACCES" || /No module named pip/.test(output)) return tool.missing();
  if (/no space left on device/i.test(output))
    return new LocalError(
      "The disk is full.",
      "Make room on the disk, or move the cache with ASSET_REGISTER_CACHE.",
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
    `${tool.advice ?? fetchAdvice} It said:\n${tail}`,
    { cause: error },
  );
}
