import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { accessSchema, type DemoAccess } from "./demo-access.ts";
import { type DemoGateway, demoGateway } from "./demo-gateway.ts";
import { type DemoOperator, demoOperator } from "./demo-operator.ts";
import { LocalError } from "./errors.ts";
import type { Environment, Progress } from "./types.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

const keptSchema = z.object({ demo: accessSchema, other: accessSchema }).partial();

type WithUrl = DemoAccess & { base_url: string };

/** The content of demo.json. `other` is a second workspace, to show that workspaces are isolated. */
export type Demo = WithUrl & { other: WithUrl };

export type DemoOptions = {
  /** Identity's settings, for its operator commands. */
  env: Environment;
  gatewayUrl: string;
  dataDirectory: string;
  progress: Progress;
  /** The name of what is kept for the next start. Another platform on this folder has another one. Default: demo. */
  keptAs?: string;
  /** A part of the e-mail addresses, so that one platform can have several demos. */
  tag?: string;
  /** Is called before the workspaces are kept for the next start: one that was filled in part is not used again. */
  fill?: (demo: Demo) => Promise<void>;
};

const workspaces = {
  demo: { name: "Demo", email: "demo@demo.example" },
  other: { name: "Other demo", email: "other@demo.example" },
};

export function assertNotProduction(env: Environment): void {
  if (env.NODE_ENV === "production")
    throw new LocalError(
      "The demo workspaces are not created when NODE_ENV is production.",
      "Unset NODE_ENV: this command is for development on one machine.",
    );
}

/**
 * Creates the two demo workspaces, or reuses those of an earlier start.
 * @throws LocalError in production, and if identity or the gateway fail
 */
export async function seedDemo(options: DemoOptions): Promise<Demo> {
  assertNotProduction(options.env);
  const gateway = demoGateway(options.gatewayUrl, options.progress);
  const operator = demoOperator(options.env);
  const file = join(options.dataDirectory, "keys", `${options.keptAs ?? "demo"}.json`);
  const kept = readKept(file);
  const tagged = ({ name, email }: { name: string; email: string }) => ({
    name,
    email: options.tag === undefined ? email : email.replace("@", `-${options.tag}@`),
  });
  const demo = await open(tagged(workspaces.demo), kept.demo, gateway, operator);
  const other = await open(tagged(workspaces.other), kept.other, gateway, operator);
  const base_url = options.gatewayUrl;
  const seeded = { base_url, ...demo, other: { base_url, ...other } };
  await options.fill?.(seeded);
  // Identity shows an API key only once, when it is created. The next start needs it again.
  mkdirSync(join(options.dataDirectory, "keys"), { recursive: true, mode: 0o700 });
  writeFileAtomically(file, JSON.stringify({ demo, other }));
  return seeded;
}

async function open(
  { name, email }: { name: string; email: string },
  kept: DemoAccess | undefined,
  gateway: DemoGateway,
  operator: DemoOperator,
): Promise<DemoAccess> {
  if (kept !== undefined && (await gateway.accepts(kept))) return kept;
  const created = await create(name, email, operator);
  await gateway.awaitAccess(created);
  return created;
}

async function create(name: string, email: string, operator: DemoOperator): Promise<DemoAccess> {
  const password = randomBytes(12).toString("base64url");
  const { created, workspace } = await operator.createWorkspace({ name, email, password });
  // The account exists but its password is lost, for example because only the data folder was deleted.
  if (!created)
    return create(name, email.replace(/(-\w+)?@/, `-${randomBytes(2).toString("hex")}@`), operator);
  const { key } = await operator.createApiKey(workspace.id);
  return { email, password, workspace_id: workspace.id, api_key: key };
}

function readKept(file: string): z.infer<typeof keptSchema> {
  if (!existsSync(file)) return {};
  try {
    return keptSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // Truncated by a full disk. New workspaces are created instead.
    return {};
  }
}
