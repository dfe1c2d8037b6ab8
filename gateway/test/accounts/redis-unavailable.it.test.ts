import { eventually, privateServer } from "@asset-register/harness";
import type { Answer } from "@asset-register/harness/client";
import { afterAll, expect, test } from "vitest";
import { password, startAccounts, statuses } from "./accounts.ts";

const redis = await privateServer("redis");
const accounts = await startAccounts({ redisUrl: redis.url });

afterAll(async () => {
  await accounts?.stop();
  await redis?.stop();
});

function expectUnavailable(answer: Answer): void {
  expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
}

test("without Redis sign-ins and refreshes get 503, sessions and keys stay valid, and revocations take effect at once", async () => {
  const { admin } = await accounts.workspace("alone");
  const member = await accounts.member(admin, "member@alone.example", { capabilities: ["view"] });
  const { id, key } = await admin.here.post<{ id: string; key: string }>("/api-keys", {
    name: "ERP",
    scopes: ["assets:read"],
  });
  const ofKey = () =>
    Promise.all(accounts.programs(key).map(async (api) => (await api.call("GET", "/me")).status));
  const signIn = () => accounts.anyone.call("POST", "/login", { email: "alone@example.com", password });
  const refresh = () => {
    const { refresh_token, device_uuid } = admin;
    return accounts.anyone.call("POST", "/auth/refresh", { refresh: refresh_token, device_uuid });
  };
  expect(await statuses(member)).toEqual([200, 200]);
  expect(await ofKey()).toEqual([200, 200]);

  await redis.kill();
  expectUnavailable(await signIn());
  expectUnavailable(await refresh());
  expect(await statuses(member)).toEqual([200, 200]);
  expect(await ofKey()).toEqual([200, 200]);
  await admin.here.post(`/devices/${member.device_uuid}/revoke`);
  await admin.there.post(`/api-keys/${id}/revoke`);
  expect(await statuses(member)).toEqual([401, 401]);
  expect(await ofKey()).toEqual([401, 401]);
  expect(await statuses(admin)).toEqual([200, 200]);

  await redis.restart();
  // The refused requests have spent nothing.
  await eventually(async () => expect((await refresh()).status).toBe(200));
  expect((await signIn()).status).toBe(200);
  expect(await statuses(member)).toEqual([401, 401]);
});
