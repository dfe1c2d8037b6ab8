import type { Actor } from "@asset-register/rpc";
import { invalid, notFound } from "@asset-register/runtime";
import type { Caller, Identity } from "./context.ts";
import type { User } from "./domain/user.ts";
import { plans, type Workspace, type WorkspaceChange } from "./domain/workspace.ts";
import { changeWorkspace } from "./operations/change-workspace.ts";
import { createApiKey } from "./operations/create-api-key.ts";
import { createWorkspace } from "./operations/create-workspace.ts";
import { allWorkspaces } from "./store/all-workspaces.ts";

type Values = Record<string, string | undefined>;
/** From the environment: arguments are shown to every user of the machine. */
type Secrets = { ADMIN_PASSWORD?: string | undefined };
type Command = {
  usage: string;
  options: readonly string[];
  run(identity: Identity, values: Values, actor: Actor, secrets: Secrets): Promise<unknown>;
};
export type Commands = Record<string, Command>;

/** The command line is not one that the tool knows. */
export class UsageError extends Error {}

function required(values: Values, name: string): string {
  const value = values[name];
  if (value === undefined) throw new UsageError(`--${name} is missing`);
  return value;
}

function passwordOf({ ADMIN_PASSWORD: password }: Secrets): string {
  if (password === undefined) throw new UsageError("ADMIN_PASSWORD is not set in the environment");
  return password;
}

function planOf(values: Values): Workspace["plan"] {
  const named = required(values, "plan");
  const plan = plans.find((known) => known === named);
  if (plan === undefined) throw invalid([{ field: "plan", message: `must be one of ${plans.join(", ")}` }]);
  return plan;
}

const on = (values: Values, actor: Actor): Caller => ({ workspaceId: required(values, "workspace"), actor });

const change =
  (wanted: (values: Values) => WorkspaceChange): Command["run"] =>
  async (identity, values, actor) => ({
    workspace: workspaceOf(await changeWorkspace(identity, wanted(values), on(values, actor))),
  });

function workspaceOf(workspace: Workspace) {
  return {
    id: workspace.id,
    name: workspace.name,
    status: workspace.status,
    plan: workspace.plan,
    time_zone: workspace.timeZone,
    currency: workspace.currency,
    number_prefix: workspace.numberPrefix,
    fiscal_year_start: workspace.fiscalYearStart,
    rev: workspace.rev,
  };
}

const userOf = ({ id, email, name, status, capabilities, createdAt, lastSignedInAt }: User) => ({
  id,
  email,
  name,
  status,
  capabilities: capabilities.filter((one) => one !== "admin"),
  admin: capabilities.includes("admin"),
  created_at: createdAt,
  last_signed_in_at: lastSignedInAt ?? null,
});

/** By their two words. Each runs the same operation as the RPC of its name. */
export const operatorCommands: Commands = {
  "workspace create": {
    usage:
      "ADMIN_PASSWORD=... workspace create --name --plan --admin-email --admin-name --time-zone --currency [--number-prefix] [--fiscal-year-start]",
    options: [
      "name",
      "plan",
      "admin-email",
      "admin-name",
      "time-zone",
      "currency",
      "number-prefix",
      "fiscal-year-start",
    ],
    async run(identity, values, actor, secrets) {
      const { created, workspace, admin } = await createWorkspace(
        identity,
        {
          name: required(values, "name"),
          plan: planOf(values),
          timeZone: required(values, "time-zone"),
          currency: required(values, "currency"),
          numberPrefix: values["number-prefix"] ?? "AST-",
          fiscalYearStart: Number(values["fiscal-year-start"] ?? "1"),
          admin: {
            email: required(values, "admin-email"),
            name: required(values, "admin-name"),
            password: passwordOf(secrets),
          },
        },
        { actor },
      );
      const { id, email, name } = admin;
      return { created, workspace: workspaceOf(workspace), admin: { id, email, name } };
    },
  },
  "workspace list": {
    usage: "workspace list",
    options: [],
    async run({ mongo }) {
      const workspaces = [];
      for await (const workspace of allWorkspaces(mongo)) workspaces.push(workspaceOf(workspace));
      return { workspaces };
    },
  },
  "workspace set-plan": {
    usage: "workspace set-plan --workspace --plan",
    options: ["workspace", "plan"],
    run: change((values) => ({ plan: planOf(values) })),
  },
  "workspace disable": {
    usage: "workspace disable --workspace",
    options: ["workspace"],
    run: change(() => ({ status: "disabled" })),
  },
  "workspace enable": {
    usage: "workspace enable --workspace",
    options: ["workspace"],
    run: change(() => ({ status: "active" })),
  },
  "user list": {
    usage: "user list --workspace",
    options: ["workspace"],
    async run({ workspaces, users }, values) {
      const workspaceId = required(values, "workspace");
      if ((await workspaces.find(workspaceId)) === undefined) throw notFound();
      const found = [];
      for (let cursor: string | undefined; cursor !== ""; ) {
        const list = await users.list(workspaceId, { page: 1, limit: 200, cursor: cursor ?? "" });
        found.push(...list.items.map(userOf));
        cursor = list.nextCursor;
      }
      return { users: found };
    },
  },
  "api-key create": {
    usage:
      "api-key create --workspace --name --scopes <scope,scope...> [--allowed-addresses <address,block...>]",
    options: ["workspace", "name", "scopes", "allowed-addresses"],
    async run(identity, values, actor) {
      const workspaceId = required(values, "workspace");
      const input = {
        name: required(values, "name"),
        scopes: required(values, "scopes").split(","),
        allowedAddresses: values["allowed-addresses"]?.split(",") ?? [],
      };
      const { key, text } = await createApiKey(identity, input, { workspaceId, actor });
      return { api_key: { id: key.id, name: key.name, scopes: key.scopes }, key: text };
    },
  },
};
