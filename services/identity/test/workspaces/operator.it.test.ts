import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { freshDatabase } from "@asset-register/harness";
import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { describe, expect, test } from "vitest";
import { explainFailure, runOperator } from "../../src/run-operator.ts";
import { anonymous, identityOfFile } from "../support.ts";

const service = await identityOfFile();

const tool = path.join(import.meta.dirname, "../../src/operator.ts");

const env = { ...process.env, ...service.env, ADMIN_PASSWORD: "correct horse battery" };

/** Runs a command in this process: a process of its own takes a second. The answer is what the tool prints. */
const operator = async (...args: string[]) => JSON.parse(JSON.stringify(await runOperator(args, env)));

/** Runs the tool itself. */
const runTool = (args: string[], settings: NodeJS.ProcessEnv) =>
  promisify(execFile)(process.execPath, [tool, ...args], { env: settings });

const failureOf = (...args: string[]): Promise<string> =>
  operator(...args).then(() => expect.fail("the command succeeded"), explainFailure);

const creation = (email: string) => [
  ...["workspace", "create", "--name", "Acme", "--plan", "business", "--admin-email", email],
  ...["--admin-name", "Ada", "--time-zone", "Europe/Berlin", "--currency", "EUR", "--number-prefix", "AC-"],
];
const create = (email: string) => operator(...creation(email));

describe("the operators' tool", () => {
  test("creates a workspace, and prints the existing one the second time", async () => {
    const first = await create("acme@example.com");
    expect(first).toMatchObject({
      created: true,
      workspace: {
        name: "Acme",
        plan: "business",
        status: "active",
        number_prefix: "AC-",
        fiscal_year_start: 1,
      },
      admin: { email: "acme@example.com", name: "Ada" },
    });
    expect(JSON.stringify(first)).not.toContain("argon2");
    expect(await create("ACME@example.com")).toEqual({ ...first, created: false });
  });

  test("changes the plan and the status, and lists the workspaces", async () => {
    const { workspace } = await create("ops@example.com");
    const on = ["--workspace", workspace.id];
    expect(await operator("workspace", "set-plan", ...on, "--plan", "enterprise")).toMatchObject({
      workspace: { plan: "enterprise", rev: 2 },
    });
    expect(await operator("workspace", "disable", ...on)).toMatchObject({
      workspace: { status: "disabled" },
    });
    expect(await operator("workspace", "enable", ...on)).toMatchObject({ workspace: { status: "active" } });
    const { workspaces } = await operator("workspace", "list");
    expect(workspaces).toContainEqual(
      expect.objectContaining({ id: workspace.id, plan: "enterprise", rev: 4 }),
    );
  });

  test("disables a workspace, which refuses its sign-ins and keys at once, and enables it again", async () => {
    const { workspace } = await create("stop@example.com");
    const on = ["--workspace", workspace.id];
    const made = await operator("api-key", "create", ...on, "--name", "ERP", "--scopes", "assets:read");
    const verifyKey = () => service.verifyKey(made.key);
    const here = await service.signIn("stop@example.com");
    await operator("workspace", "disable", ...on);
    const refused = { kind: "unauthenticated" };
    await expect(verifyKey()).rejects.toMatchObject(refused);
    await expect(service.verify(here.access)).rejects.toMatchObject(refused);
    await expect(service.signIn("stop@example.com")).rejects.toMatchObject(refused);
    await operator("workspace", "enable", ...on);
    await verifyKey();
    await service.verify(here.access);

    const actions = (await service.audited(here.as)).map(({ action, actor }) => [action, actor?.kind]);
    expect(actions).toEqual(
      expect.arrayContaining([
        ["workspace.created", ActorKind.OPERATOR],
        ["api_key.created", ActorKind.OPERATOR],
        ["workspace.disabled", ActorKind.OPERATOR],
        ["workspace.enabled", ActorKind.OPERATOR],
      ]),
    );
  });

  test("lists the users of a workspace without their hashes", async () => {
    const { workspace, admin } = await create("people@example.com");
    const { as } = await service.signIn("people@example.com");
    await service.users.inviteUser({ email: "grace@example.com", name: "Grace" }, as);
    const { users } = await operator("user", "list", "--workspace", workspace.id);
    expect(users).toEqual([
      expect.objectContaining({ id: admin.id, email: "people@example.com", admin: true, status: "active" }),
      expect.objectContaining({ email: "grace@example.com", admin: false, status: "invited" }),
    ]);
    expect(users[0].last_signed_in_at).not.toBeNull();
    expect(JSON.stringify(users)).not.toMatch(/argon2|hash/);
    expect(await failureOf("user", "list", "--workspace", "wsp_none")).toContain("NOT_FOUND");
  });

  test("prints a link with which a lone admin chooses a new password", async () => {
    await create("lone@example.com");
    const settings = { ...env, PUBLIC_URL: "https://assets.example.com/" };
    const run = (...args: string[]) => runOperator(["user", "reset-link", ...args], settings);
    const { link, user } = (await run("--email", "LONE@example.com")) as { link: string; user: object };
    expect(user).toMatchObject({ email: "lone@example.com" });
    const [, token = ""] = /^https:\/\/assets\.example\.com\/app\/reset#(.*)$/.exec(link) ?? [];
    await service.passwords.resetPassword({ token, newPassword: "a better horse battery" }, anonymous);
    const { as } = await service.signIn("lone@example.com", { password: "a better horse battery" });
    const [entry] = await service.audited(as, "user.password_reset_requested");
    expect(entry).toMatchObject({ actor: { kind: ActorKind.OPERATOR } });
    await expect(run("--email", "nobody@example.com")).rejects.toMatchObject({ kind: "not_found" });
    const { PUBLIC_URL: _, ...without } = env as NodeJS.ProcessEnv;
    await expect(runOperator(["user", "reset-link", "--email", "lone@example.com"], without)).rejects.toThrow(
      "PUBLIC_URL is not set",
    );
  });

  test("creates an API key that is valid", async () => {
    const { workspace } = await create("key@example.com");
    const made = await operator(
      ...[
        "api-key",
        "create",
        "--workspace",
        workspace.id,
        "--name",
        "ERP",
        "--scopes",
        "assets:read,finance",
      ],
    );
    const verified = await service.verifyKey(made.key);
    expect(verified.principal).toMatchObject({
      value: { keyId: made.api_key.id, scopes: ["assets:read", "finance"] },
    });
  });

  test("takes the password only from the environment: every user of the machine can see arguments", async () => {
    const args = creation("seen@example.com");
    expect(await failureOf(...args, "--admin-password", "seen by all")).toContain("--admin-password");
    const { ADMIN_PASSWORD: _, ...without } = env;
    await expect(runTool(args, without)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("ADMIN_PASSWORD is not set"),
    });
  });

  test("writes its log to standard error and its answer to standard output", async () => {
    const settings = { ...env, MONGO_DATABASE: freshDatabase(), LOG_LEVEL: "info" };
    const { stdout, stderr } = await runTool(["workspace", "list"], settings);
    expect(JSON.parse(stdout)).toEqual({ workspaces: [] });
    expect(stderr).toContain("migration applied");
  });

  test("prints one line for each problem, and fails", async () => {
    const plan = ["workspace", "set-plan", "--workspace", "wsp_none", "--plan", "gold"];
    expect(await failureOf(...plan)).toContain("plan must be one of starter, business, enterprise");
    expect(await failureOf("workspace", "disable", "--workspace", "wsp_none")).toContain("NOT_FOUND");
    await expect(runTool(["workspace"], env)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Usage:"),
    });
  });
});
