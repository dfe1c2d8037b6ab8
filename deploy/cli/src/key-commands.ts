import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Argument, Command } from "commander";
import { z } from "zod";
import { type AllKeys, createKeys, rotateKeys, STEPS, type Step } from "./keys.ts";
import { CliError } from "./output.ts";

const SERVICES = path.resolve(import.meta.dirname, "../../../services");

export function keyCommands(): Command {
  const commands = new Command("keys").description(
    "Key pairs, trusted keys and keyrings of all components, as Secrets of Kubernetes on standard output",
  );
  commands
    .command("create")
    .description("Make all keys for a new installation")
    .option("--name <prefix>", "first part of the names of the Secrets", "asset-register-keys")
    .option("--namespace <name>", "their namespace")
    .option("--env <folder>", "write a file of variables for each component instead, for Docker Compose")
    .action(({ name, namespace, env }: { name: string; namespace?: string; env?: string }) => {
      const keys = createKeys(readdirSync(SERVICES));
      if (env === undefined) print(keys, name, namespace);
      else writeFiles(keys, env);
    });
  commands
    .command("rotate")
    .description(
      "One step of a rotation without a stop: apply its output and restart all pods before the next one",
    )
    .addArgument(new Argument("<step>").choices(STEPS))
    .option("--from <file>", "the Secrets now, as kubectl prints them with -o json (standard input)")
    .action((step: Step, { from }: { from?: string }) => {
      const { keys, prefix, namespace } = read(readFileSync(from ?? 0, "utf8"));
      print(rotateKeys(keys, step), prefix, namespace);
    });
  return commands;
}

/** A Secret for each component. JSON, which kubectl and kubeseal read too. */
function print(keys: AllKeys, prefix: string, namespace: string | undefined): void {
  const items = Object.entries(keys).map(([component, data]) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `${prefix}-${component}`, namespace, labels: { "asset-register/keys": component } },
    type: "Opaque",
    data: Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, Buffer.from(value).toString("base64")]),
    ),
  }));
  console.log(JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 2));
}

/** A file `<component>.env` for each component. It never overwrites one: data is encrypted with its keys. */
function writeFiles(keys: AllKeys, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [component, settings] of Object.entries(keys)) {
    const lines = Object.entries(settings).map(
      ([name, value]) => `${name}=${value.replaceAll("\n", "\\n")}\n`,
    );
    writeFileSync(path.join(folder, `${component}.env`), lines.join(""), { mode: 0o600, flag: "wx" });
  }
}

const listSchema = z.object({
  items: z
    .array(
      z.object({
        metadata: z.object({
          name: z.string(),
          namespace: z.string().optional(),
          labels: z.object({ "asset-register/keys": z.string() }),
        }),
        data: z.record(z.string(), z.string()),
      }),
    )
    .min(1, "there are no Secrets"),
});

function read(text: string): { keys: AllKeys; prefix: string; namespace: string | undefined } {
  const { items } = parse(text);
  const keys = items.map(({ metadata, data }) => {
    const values = Object.entries(data).map(([name, value]) => [
      name,
      Buffer.from(value, "base64").toString(),
    ]);
    return [metadata.labels["asset-register/keys"], Object.fromEntries(values)] as const;
  });
  const [first] = items.map(({ metadata }) => metadata);
  const component = first?.labels["asset-register/keys"] ?? "";
  return {
    keys: Object.fromEntries(keys),
    prefix: first?.name.slice(0, -component.length - 1) ?? "",
    namespace: first?.namespace,
  };
}

function parse(text: string): z.output<typeof listSchema> {
  try {
    return listSchema.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : "it is not JSON";
    throw new CliError(`The Secrets can't be read: ${reason}`);
  }
}
