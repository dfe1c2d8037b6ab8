import type { Actor } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Caller, Context } from "./context.ts";
import { decodeCreateApiKey } from "./decode/api-key.ts";
import { decodeCreateWorkspace, decodePlan } from "./decode/workspace.ts";
import { linkTo } from "./domain/account-mail.ts";
import { tokenLifetimes } from "./domain/account-token.ts";
import type { User } from "./domain/user.ts";
import type { Workspace, WorkspaceChange } from "./domain/workspace.ts";
import { createApiKey } from "./operations/api-keys/create-api-key.ts";
import { resetMfa } from "./operations/mfa/reset-mfa.ts";
import { resetUserPassword } from "./operations/passwords/reset-user-password.ts";
import { stopRequiringSso } from "./operations/sso/stop-requiring.ts";
import { createWorkspace } from "./operations/workspaces/create-workspace.ts";
import { updateWorkspace } from "./operations/workspaces/update-workspace.ts";
import { resetPage } from "./pages.ts";
import { allWorkspaces } from "./store/all-workspaces.ts";

type Values = Record<string, string | undefined>;
/** From the environment: every user of the machine can see arguments. */
type Secrets = { ADMIN_PASSWORD?: string | undefined };
type Settings = Secrets & { PUBLIC_URL?: string | undefined };
type Command = {
  usage: string;
  options: readonly string[];
  run(context: Context, values: Values, actor: Actor, settings: Settings): Promise<unknown>;
};
export type Commands = Record<string, Command>;

/** The command line is not valid. */
export class UsageError extends Error {}

function required(values: Values, name: string): string {
  const value = values[name];
  if (value === undefined) throw new UsageError(`--${name} is missing`);
  return value;
}

function publicUrlOf({ PUBLIC_URL: url }: Settings): string {
  if (url === undefined) throw new UsageError("PUBLIC_URL is not set in the environment");
  return url;
}

function passwordOf({ ADMIN_PASSWORD: password }: Secrets): string {
  if (password === undefined) throw new UsageError("ADMIN_PASSWORD is not set in the environment");
  return password;
}

const callOf = (values: Values, actor: Actor): Caller => ({
  workspaceId: required(values, "workspace"),
  actor,
});

const update =
  (decode: (values: Values) => WorkspaceChange): Command["run"] =>
  async (context, values, actor) => ({
    workspace: shownWorkspace(await updateWorkspace(context, decode(values), callOf(values, actor))),
  });

const shownWorkspace = (workspace: Workspace) => ({
  id: workspace.id,
  name: workspace.name,
  status: workspace.status,
  plan: workspace.plan,
  time_zone: workspace.timeZone,
  currency: workspace.currency,
  number_prefix: workspace.numberPrefix,
  fiscal_year_start: workspace.fiscalYearStart,
  rev: workspace.rev,
});

const shownUser = ({ id, email, name, status, capabilities, createdAt, lastSignedInAt }: User) => ({
  id,
  email,
  name,
  status,
  capabilities: capabilities.filter((one) => one !== "admin"),
  admin: capabilities.includes("admin"),
  created_at: createdAt,
  last_signed_in_at: lastSignedInAt ?? null,
});

/** By their two words. A command runs the same operation as the RPC of its name. */
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
    async run(context, values, actor, settings) {
      const input = decodeCreateWorkspace({
        name: required(values, "name"),
        plan: required(values, "plan"),
        timeZone: required(values, "time-zone"),
        currency: required(values, "currency"),
        numberPrefix: values["number-prefix"] ?? "AST-",
        fiscalYearStart: Number(values["fiscal-year-start"] ?? "1"),
        adminEmail: required(values, "admin-email"),
        adminName: required(values, "admin-name"),
        adminPassword: passwordOf(settings),
      });
      const { created, workspace, admin } = await createWorkspace(context, input, { actor });
      const { id, email, name } = admin;
      return { created, workspace: shownWorkspace(workspace), admin: { id, email, name } };
    },
  },
  "workspace list": {
    usage: "workspace list",
    options: [],
    async run({ mongo }) {
      const workspaces = [];
      for await (const workspace of allWorkspaces(mongo)) workspaces.push(shownWorkspace(workspace));
      return { workspaces };
    },
  },
  "workspace set-plan": {
    usage: "workspace set-plan --workspace --plan",
    options: ["workspace", "plan"],
    run: update((values) => decodePlan({ plan: required(values, "plan") })),
  },
  "workspace disable": {
    usage: "workspace disable --workspace",
    options: ["workspace"],
    run: update(() => ({ status: "disabled" })),
  },
  "workspace enable": {
    usage: "workspace enable --workspace",
    options: ["workspace"],
    run: update(() => ({ status: "active" })),
  },
  "user list": {
    usage: "user list --workspace",
    options: ["workspace"],
    async run({ stores }, values) {
      const workspaceId = required(values, "workspace");
      requireFound(await stores.workspaces.get(workspaceId), "workspace");
      const users = [];
      let cursor: string | undefined;
      do {
        const found = await stores.users.list(workspaceId, { page: 1, limit: 200, cursor });
        users.push(...found.items.map(shownUser));
        cursor = found.nextCursor;
      } while (cursor !== undefined);
      return { users };
    },
  },
  "user reset-link": {
    usage: "PUBLIC_URL=... user reset-link --email",
    options: ["email"],
    // For an admin who has no other admin, or without mail. Who has the link can sign in as the user.
    async run(context, values, actor, settings) {
      const page = resetPage(publicUrlOf(settings));
      const { workspaceId, id } = requireFound(
        await context.stores.credentials.findUser(required(values, "email")),
        "user",
      );
      const { user, token = "" } = await resetUserPassword(context, { id }, { workspaceId, actor }, true);
      const validMinutes = tokenLifetimes.password_reset / 60_000;
      return { user: shownUser(user), link: linkTo(page, token), valid_minutes: validMinutes };
    },
  },
  "user reset-mfa": {
    usage: "user reset-mfa --email",
    options: ["email"],
    // For an admin who has no other admin.
    async run(context, values, actor) {
      const { workspaceId, id } = requireFound(
        await context.stores.credentials.findUser(required(values, "email")),
        "user",
      );
      return { user: shownUser(await resetMfa(context, { id, ifRevIn: [] }, { workspaceId, actor })) };
    },
  },
  "user allow-passwords": {
    usage: "user allow-passwords --email",
    options: ["email"],
    // For admins whose provider does not work any more.
    async run(context, values, actor) {
      const { workspaceId } = requireFound(
        await context.stores.credentials.findUser(required(values, "email")),
        "user",
      );
      const { id, requireSso } = await stopRequiringSso(context, { workspaceId, actor });
      return { workspace_id: workspaceId, connection_id: id, require_sso: requireSso };
    },
  },
  "api-key create": {
    usage:
      "api-key create --workspace --name --scopes <scope,scope...> [--allowed-addresses <address,block...>]",
    options: ["workspace", "name", "scopes", "allowed-addresses"],
    async run(context, values, actor) {
      const call = callOf(values, actor);
      const input = decodeCreateApiKey(
        {
          name: required(values, "name"),
          scopes: required(values, "scopes").split(","),
          allowedAddresses: values["allowed-addresses"]?.split(",") ?? [],
        },
        context.now(),
      );
      const { key, text } = await createApiKey(context, input, call);
      return { api_key: { id: key.id, name: key.name, scopes: key.scopes }, key: text };
    },
  },
};
