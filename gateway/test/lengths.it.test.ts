import { limits } from "@asset-register/proto/limits";
import { afterAll, expect, test } from "vitest";
import { fetchDocument, operationsOf } from "./documents.ts";
import { startGateway } from "./gateway.ts";

const gateway = await startGateway();
const document = await fetchDocument(gateway.url, "surface-b");
const session = gateway.accounts.session("admin");
afterAll(() => gateway?.stop());

const login = { email: "ada@example.com", password: "secret" };
const invited = { token: "inv_1", password: "correct horse battery" };
const rule = { scope_type: "all", condition: { type: "unknown_tag" }, channel: "inapp" };

test.each<[operation: string, field: string, maximum: number, rest: object]>([
  ["POST /login", "label", limits.deviceText, login],
  ["POST /login", "platform", limits.deviceText, login],
  ["POST /login", "app_version", limits.deviceText, login],
  ["POST /me/password", "new_password", limits.newPassword, { current_password: "secret" }],
  ["POST /password/reset", "new_password", limits.newPassword, { token: "pr_1" }],
  ["POST /password/forgot", "email", limits.email, {}],
  ["POST /users", "name", limits.accountName, { email: "ada@example.com" }],
  ["PATCH /users/{id}", "name", limits.accountName, {}],
  ["POST /invitations/accept", "name", limits.accountName, invited],
  ["POST /invitations/accept", "password", limits.newPassword, { token: "inv_1" }],
  ["POST /api-keys", "name", limits.accountName, { scopes: ["assets:read"] }],
  ["PATCH /workspace", "name", limits.accountName, {}],
  ["PATCH /workspace", "number_prefix", limits.numberPrefix, {}],
  ["POST /assets", "name", limits.name, {}],
  ["POST /assets", "description", limits.description, { name: "Laptop" }],
  ["POST /assets", "purchase_order", limits.line, { name: "Laptop" }],
  ["POST /assets", "category_id", limits.id, { name: "Laptop" }],
  ["POST /locations", "code", limits.code, { name: "Room 101" }],
  ["POST /tags/commission", "code", limits.tagCode, { asset_id: "ast_1" }],
  ["POST /readers", "name", limits.name, { kind: "phone" }],
  ["POST /zones", "name", limits.name, {}],
  ["POST /alert-rules", "name", limits.name, rule],
])(
  "%s documents and accepts the maximum length of %s that its service has, and refuses a longer text",
  async (operation, field, maximum, rest) => {
    const [method = "", path = ""] = operation.split(" ");
    expect(documentedMaximum(operation, field)).toBe(maximum);
    const send = (length: number) =>
      gateway
        .surfaceB(session)
        .call(method, path.replace("{id}", "usr_1"), { ...rest, [field]: "x".repeat(length) });
    expect(await send(maximum + 1)).toMatchObject({
      status: 422,
      body: {
        code: "VALIDATION_FAILED",
        errors: [{ field, message: expect.stringContaining(String(maximum)) }],
      },
    });
    // The valid request reaches its service, which is missing here.
    expect((await send(maximum)).status).toBeGreaterThanOrEqual(500);
  },
);

function documentedMaximum(operation: string, field: string): unknown {
  const found = operationsOf(document).find(({ method, path }) => `${method} ${path}` === operation);
  const body = Object.values(found?.operation.requestBody?.content ?? {})[0]?.schema;
  const reference = typeof body?.$ref === "string" ? body.$ref.split("/").at(-1) : undefined;
  const schema = reference === undefined ? body : document.components.schemas[reference];
  const fields = schema?.properties as Record<string, { maxLength?: number }> | undefined;
  return fields?.[field]?.maxLength;
}
