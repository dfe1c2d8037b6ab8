import { afterAll, expect, test } from "vitest";
import { type Account, startAccounts } from "./accounts.ts";

const accounts = await startAccounts();
afterAll(() => accounts?.stop());

const etagOf = ({ headers }: { headers: Headers }): string => headers.get("etag") ?? "";
const rename = ({ here }: Account, name: string, ifMatch: string) =>
  here.call("PATCH", "/workspace", { name }, { "if-match": ifMatch });

test("concurrent edits of one ETag on two gateways: one succeeds, the others get 412, and the new ETag is valid at once", async () => {
  const { admin } = await accounts.workspace("edited");
  const etag = etagOf(await admin.here.call("GET", "/workspace"));
  const names = ["Ada & Co", "Ben & Co", "Cleo & Co", "Dora & Co"];
  const answers = await Promise.all(
    names.map((name, n) => rename(n % 2 === 0 ? admin : { ...admin, here: admin.there }, name, etag)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
  const won = answers.findIndex(({ status }) => status === 200);
  const stored = await admin.there.call("GET", "/workspace");
  expect(stored.body).toMatchObject({ name: names[won], rev: 2 });

  const fresh = etagOf(answers[won] ?? stored);
  expect(await rename(admin, "Again", fresh)).toMatchObject({ status: 200, body: { rev: 3 } });
  expect(await rename(admin, "Late", fresh)).toMatchObject({
    status: 412,
    body: { code: "PRECONDITION_FAILED", title: "Precondition Failed" },
  });
});

test("a repeat with an Idempotency-Key gets the same answer with the same ETag", async () => {
  const { admin } = await accounts.workspace("kept");
  const made = await admin.here.call("POST", "/api-keys", { name: "ERP", scopes: ["assets:read"] });
  const { id } = made.body as { id: string };
  const rotate = (headers: Record<string, string>) =>
    admin.here.call("POST", `/api-keys/${id}/rotate`, undefined, headers);
  const keyed = { "idempotency-key": "rotate-1", "if-match": etagOf(made) };
  const first = await rotate(keyed);
  expect(await rotate({ "if-match": etagOf(first) })).toMatchObject({ status: 200, body: { rev: 3 } });
  const again = await rotate(keyed);
  expect([again.status, again.body, etagOf(again)]).toEqual([200, first.body, etagOf(first)]);
  expect(await rotate({ ...keyed, "if-match": etagOf(first) })).toMatchObject({
    status: 422,
    body: { code: "IDEMPOTENCY_KEY_REUSED" },
  });
  expect(await rotate({ "if-match": etagOf(first) })).toMatchObject({ status: 412 });
});

test("a merge patch does not change fields that it does not name", async () => {
  const { admin } = await accounts.workspace("patched");
  const type = { "content-type": "application/merge-patch+json" };
  const answer = await admin.here.call("PATCH", "/workspace", '{"fiscal_year_start":7}', type);
  expect(answer).toMatchObject({ status: 200, body: { name: "patched", fiscal_year_start: 7, rev: 2 } });
});
