import { join } from "node:path";
import { z } from "zod";
import { LocalError } from "./errors.ts";
import { runTool } from "./run-tool.ts";
import type { Environment, Progress } from "./types.ts";

/** All that there are; its test compares them with those of identity. */
export const scopes = [
  "assets:read",
  "assets:write",
  "checkouts:write",
  "tags:read",
  "tags:write",
  "locations:read",
  "zones:write",
  "reader-events:write",
  "webhooks:read",
  "webhooks:write",
  "finance",
];

const createdSchema = z.object({ created: z.boolean(), workspace: z.object({ id: z.string() }) });
const keySchema = z.object({ key: z.string() });

export type DemoOperator = {
  /** `created` is false when the email has an account already. */
  createWorkspace(input: {
    name: string;
    email: string;
    password: string;
  }): Promise<z.infer<typeof createdSchema>>;
  createApiKey(workspaceId: string): Promise<z.infer<typeof keySchema>>;
};

/** Identity's operator commands, run as operators run them. */
export function demoOperator(env: Environment, progress: Progress): DemoOperator {
  const command = join(import.meta.dirname, "../../../services/identity/src/operator.ts");
  const run = async (args: string[], secrets: Environment = {}): Promise<unknown> => {
    const { stdout } = await runTool({
      command: process.execPath,
      args: ["--disable-warning=TimeoutNegativeWarning", command, ...args],
      env: { ...env, ...secrets },
      what: "demo: making the workspaces",
      progress,
      missing: () => new LocalError("Node can't start itself.", "Reinstall it: 24 or newer is needed."),
      advice: "The platform itself is up; look into the log of identity.",
    });
    return JSON.parse(stdout);
  };
  return {
    async createWorkspace({ name, email, password }) {
      const admin = ["--admin-email", email, "--admin-name", `${name} admin`];
      const money = ["--time-zone", "Europe/Berlin", "--currency", "EUR"];
      const workspace = ["--name", name, "--plan", "enterprise"];
      const args = ["workspace", "create", ...workspace, ...admin, ...money];
      return createdSchema.parse(await run(args, { ADMIN_PASSWORD: password }));
    },
    async createApiKey(workspaceId) {
      const named = ["--workspace", workspaceId, "--name", "Demo", "--scopes", scopes.join(",")];
      return keySchema.parse(await run(["api-key", "create", ...named]));
    },
  };
}
