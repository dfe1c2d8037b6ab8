import { z } from "zod";
import { LocalError } from "./errors.ts";
import type { Environment } from "./types.ts";

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

/** Runs identity's operator commands in this process: a process for each would take most of a second of CPU time. */
export function demoOperator(env: Environment): DemoOperator {
  const run = async (args: string[], secrets: Environment = {}): Promise<unknown> => {
    const { explainFailure, runOperator } = await import("../../../services/identity/src/run-operator.ts");
    return runOperator(args, { ...env, ...secrets }).catch((error: unknown) => {
      throw new LocalError(
        "The demo workspaces can't be created.",
        `The platform itself is running. See the log of identity.\n${explainFailure(error)}`,
        { cause: error },
      );
    });
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
