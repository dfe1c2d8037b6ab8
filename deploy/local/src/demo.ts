import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { accessSchema, type DemoAccess } from "./demo-access.ts";
import { type DemoGateway, demoGateway } from "./demo-gateway.ts";
import { type DemoOperator, demoOperator } from "./demo-operator.ts";
import { LocalError } from "./errors.ts";
import type { Environment, Progress } from "./types.ts";
import { writeWhole } from "./write-whole.ts";

const keptSchema = z.object({ demo: accessSchema, other: accessSchema }).partial();

type WithUrl = DemoAccess & { base_url: string };

/** The content of demo.json; `other` is a second workspace, to see that neither finds what the other has. */
export type Demo = WithUrl & { other: WithUrl };

export type DemoOptions = {
  /** Identity's settings, for its operator commands. */
  env: Environment;
  gatewayUrl: string;
  dataDirectory: string;
  progress: Progress;
};

const workspaces = {
  demo: { name: "Demo", email: "demo@demo.example" },
  other: { name: "Other demo", email: "other@demo.example" },
};

export function refuseProduction(env: Environment): void {
  if (env.NODE_ENV === "production")
    throw new LocalError(
      "The demo workspaces are not made when NODE_ENV is production.",
      "Unset NODE_ENV: this starter is for one machine.",
    );
}

/** Makes the two demo workspaces, or finds those of an earlier start. Refuses in production. */
export async function seedDemo(options: DemoOptions): Promise<Demo> {
  refuseProduction(options.env);
  const gateway = demoGateway(options.gatewayUrl, options.progress);
  const operator = demoOperator(options.env, options.progress);
  const file = join(options.dataDirectory, "keys", "demo.json");
  const kept = readKept(file);
  const demo = await open(workspaces.demo, kept.demo, gateway, operator);
  const other = await open(workspaces.other, kept.other, gateway, operator);
  // A key's text is told once, when it is made: the next start needs it too.
  mkdirSync(join(options.dataDirectory, "keys"), { recursive: true, mode: 0o700 });
  writeWhole(file, JSON.stringify({ demo, other }));
  const base_url = options.gatewayUrl;
  return { base_url, ...demo, other: { base_url, ...other } };
}

async function open(
  { name, email }: { name: string; email: string },
  kept: DemoAccess | undefined,
  gateway: DemoGateway,
  operator: DemoOperator,
): Promise<DemoAccess> {
  if (kept !== undefined && (await gateway.knows(kept))) return kept;
  const made = await make(name, email, operator);
  await gateway.awaitAccess(made);
  return made;
}

async function make(name: string, email: string, operator: DemoOperator): Promise<DemoAccess> {
  const password = randomBytes(12).toString("base64url");
  const { created, workspace } = await operator.createWorkspace({ name, email, password });
  // The account is there and its password is lost, as when only the data folder was deleted.
  if (!created) return make(name, email.replace(/(-\w+)?@/, `-${randomBytes(2).toString("hex")}@`), operator);
  const { key } = await operator.createApiKey(workspace.id);
  return { email, password, workspace_id: workspace.id, api_key: key };
}

function readKept(file: string): z.infer<typeof keptSchema> {
  if (!existsSync(file)) return {};
  try {
    return keptSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // Cut off by a full disk: new workspaces do as well.
    return {};
  }
}
