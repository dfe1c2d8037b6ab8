import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, expect, test } from "vitest";
import { warnOfExpiry } from "../../src/operations/api-keys/warn-of-expiry.ts";
import { updateWorkspace } from "../../src/operations/workspaces/update-workspace.ts";
import { startMailbox } from "../mailbox.ts";
import { operatorOf, startIdentity } from "../support.ts";

const { server, settings, mailsTo, arrived } = await startMailbox();
const service = await startIdentity(settings);
afterAll(async () => {
  await service.stop();
  await server.stop();
});

const DAY_MS = 86_400_000;
type As = Awaited<ReturnType<typeof service.seed>>["as"];

function createKey(as: As, name: string, days: number) {
  const expiresAt = timestampFromDate(new Date(service.context.now().getTime() + days * DAY_MS));
  return service.apiKeys.createApiKey({ name, scopes: ["assets:read"], expiresAt }, as);
}

/** As the worker does it every 10 minutes. */
const look = () => warnOfExpiry(service.context);

test("admins are warned 14 days and 2 days before a key expires, once each, also by concurrent workers", async () => {
  const { as } = await service.seed("warned");
  const email = "warned@example.com";
  await createKey(as, "ERP", 30);
  await look();
  service.advance(17 * DAY_MS);
  await Promise.all([look(), look(), look()]);
  const [first] = await arrived(email);
  expect(first?.subject).toBe("Asset Register: the API key ERP expires");
  expect(first?.text).toContain("the workspace warned expires at 2");
  service.advance(10 * DAY_MS);
  await look();
  await arrived(email);
  service.advance(1.5 * DAY_MS);
  await look();
  await look();
  await arrived(email, 2);
  service.advance(2 * DAY_MS);
  await look();
  expect(mailsTo(email)).toHaveLength(2);
});

test("nobody is warned of a revoked key, of a key that lives so short, and in a disabled workspace", async () => {
  const { as } = await service.seed("quiet");
  const { apiKey } = await createKey(as, "Revoked", 20);
  await service.apiKeys.revokeApiKey({ id: apiKey?.id }, as);
  await createKey(as, "For a week", 7);
  await createKey(as, "For a day", 1);
  const shut = await service.seed("shut");
  await createKey(shut.as, "Shut", 20);
  await updateWorkspace(service.context, { status: "disabled" }, operatorOf(shut.workspace.id));
  await look();
  service.advance(6 * DAY_MS);
  await look();
  service.advance(10 * DAY_MS);
  await look();
  // Only the key for a week is reported, 2 days before its end.
  const [mail] = await arrived("quiet@example.com");
  expect(mail?.subject).toBe("Asset Register: the API key For a week expires");
  expect(mailsTo("shut@example.com")).toEqual([]);
});

test("of keys that began together, each admin gets a mail for each", async () => {
  const { as } = await service.seed("many");
  for (const name of ["A", "B", "C"]) await createKey(as, name, 20);
  service.advance(10 * DAY_MS);
  await look();
  const mails = await arrived("many@example.com", 3);
  expect(mails.map(({ subject }) => subject?.at(-9)).sort()).toEqual(["A", "B", "C"]);
});
