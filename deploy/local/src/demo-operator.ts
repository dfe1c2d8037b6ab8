import { join } from "node:path";
import { z } from "zod";
import { LocalError } from "./errors.ts";
import { runTool } from "./run-tool.ts";
import type { Environment, Progress } from "./types.ts";

/** All scopes of API keys. The test compares this list with identity's. */
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
  "events:read",
  "finance",
];

const createdSchema = z.object({ created: z.boolean(), workspace: z.object({ id: z.string() }) });
const keySchema = z.object({ key: z.string() });

export type DemoOperator = {
  /** `created` is false if the email already has an account. */
  createWorkspace(input: {
    name: string;
    email: string;
    password: string;
  }): Promise<z.infer<typeof createdSchema>>;
  createApiKey(workspaceId: string): Promise<z.infer<typeof keySchema>>;
};

/** Runs identity's operator commands in processes of their own, as operators do. */
export function demoOperator(env: Environment, progress: Progress): DemoOperator {
  const command = join(import.meta.dirname, "../../../services/identity/src/operator.ts");
  const run = async (args: string[], secrets: Environment = {}): Promise<unknown> => {
    const { stdout } = await runTool({
      command: process.execPath,
      args: [command, ...args],
      env: { ...env, ...secrets },
      what: "demo: creating the workspaces",
      progress,
      missing: () =>
        new LocalError("Node can't start itself.", "Reinstall Node: version 24 or newer is required."),
      advice: "The platform itself is running. See the log of identity.",
    });
    return JSON.parse(stdout);
  };
  return {
    async createWorkspace({ name, email, password }) {
      const admin = ["--admin-email", email, "--admin-name", `${name} admin`];
      const locale = ["--time-zone", "Europe/Berlin", "--currency", "EUR"];
      const workspace = ["--name", name, "--plan", "enterprise"];
      const args = ["workspace", "create", ...workspace, ...admin, ...locale];
      return createdSchema.parse(await run(args, { ADMIN_PASSWORD: password }));
    },
    async createApiKey(workspaceId) {
      const options = ["--workspace", workspaceId, "--name", "Demo", "--scopes", scopes.join(",")];
      return keySchema.parse(await run(["api-key", "create", ...options]));
    },
  };
}
