#!/usr/bin/env node
import { parseArgs } from "node:util";
import { check } from "./commands/check.ts";
import type { Command } from "./commands/command.ts";
import { enrol } from "./commands/enrol.ts";
import { refused } from "./commands/refused.ts";
import { run } from "./commands/run.ts";
import { status } from "./commands/status.ts";
import { ConfigError } from "./config/load.ts";
import { refusedRequest } from "./control/refused-request.ts";
import { createLog } from "./log.ts";
import { VERSION } from "./version.ts";

const HELP = `The edge agent of Asset Register ${VERSION}: takes what readers read at a site, keeps it on the disk, and sends
it to the platform.

  edge-agent [run] [FILE]          runs until SIGTERM
  edge-agent check [FILE]          says what is wrong with the configuration, tries each reader at the platform, and
                                   connects to readers that wait for it
  edge-agent status [FILE]         shows readers, buffer and uploads of the running agent; --json for programs
  edge-agent enrol TOKEN [FILE]    gets the secrets of the agent and its readers; the platform shows the token once
  edge-agent refused list [FILE]   shows the events that the platform refused; --json for programs
  edge-agent refused retry [FILE]  sends them again, after the reason is mended
  edge-agent refused drop [FILE]   deletes them
                                   --reader NAME, --code CODE: only these; retry and drop need one of them, or --all

FILE is the configuration. Default: $AGENT_CONFIG, else agent.yaml. An example: agent.example.yaml.
AGENT_KEY (32 bytes in base64) encrypts the stored secrets. The log goes to the standard output, as JSON lines.
`;

/** Nobody understands the command. */
class UsageError extends Error {}

function parse(args: string[]): { command: Command; file: string | undefined } | "help" | "version" {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      version: { type: "boolean" },
      json: { type: "boolean" },
      all: { type: "boolean" },
      reader: { type: "string" },
      code: { type: "string" },
    },
  });
  if (values.help) return "help";
  if (values.version) return "version";
  const [name = "run", ...rest] = positionals;
  const commands: Record<string, Command> = { run, check, status: status(values.json ?? false) };
  const command = commands[name];
  if (command !== undefined) return { command, file: only(rest) };
  if (name === "enrol") {
    const [token, ...files] = rest;
    if (token === undefined) throw new UsageError("enrol needs the token that the platform showed.");
    return { command: enrol(token), file: only(files) };
  }
  if (name === "refused") {
    const [action, ...files] = rest;
    const { reader, code, all, json = false } = values;
    const request = refusedRequest.safeParse({ action, reader, code });
    if (!request.success) throw new UsageError("refused needs one of list, retry and drop.");
    if (action !== "list" && reader === undefined && code === undefined && !all)
      throw new UsageError("Say which events by --reader or --code, or use --all.");
    return { command: refused(request.data, json), file: only(files) };
  }
  // "edge-agent FILE" runs it.
  if (/\.ya?ml$/.test(name)) return { command: run, file: only(positionals) };
  throw new UsageError(`There is no command ${name}.`);
}

function only(files: string[]): string | undefined {
  if (files.length > 1) throw new UsageError(`One file is expected, not ${files.join(" ")}.`);
  return files[0];
}

async function main(): Promise<number> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const parsed = parse(process.argv.slice(2));
  if (parsed === "help") print(HELP.trimEnd());
  if (parsed === "version") print(VERSION);
  if (parsed === "help" || parsed === "version") return 0;
  const file = parsed.file ?? process.env.AGENT_CONFIG ?? "agent.yaml";
  const log = createLog((line) => void process.stdout.write(line));
  return parsed.command({ env: process.env, file, print, log });
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof UsageError || (error instanceof TypeError && "code" in error);
  const message = error instanceof ConfigError || error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n${isUsage ? `\n${HELP}` : ""}`);
  process.exitCode = isUsage ? 2 : 1;
}
