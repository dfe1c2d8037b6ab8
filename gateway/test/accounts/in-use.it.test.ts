import { eventually } from "@asset-register/harness";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { serving } from "@asset-register/service-harness";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { startAccounts, statuses } from "./accounts.ts";

type NewKey = { id: string; key: string };

/** A request for assets has reached the register. It is answered when the test releases it. */
let reached: PromiseWithResolvers<void>;
let released: PromiseWithResolvers<void>;

const accounts = await startAccounts({
  settings: { RATE_LIMIT_BUSINESS: "600000/100000" },
  register: [
    serving(AssetService, {
      listAssets: async () => {
        reached.resolve();
        await released.promise;
        return { assets: [] };
      },
    }),
  ],
});
afterAll(() => accounts?.stop());

beforeEach(() => {
  [reached, released] = [Promise.withResolvers(), Promise.withResolvers()];
});
afterEach(() => released.resolve());

const newKey = (name: string) => ({ name, scopes: ["assets:read"] });

test("a request that began before its session ended is answered, and the next one gets 401", async () => {
  const { admin } = await accounts.workspace("leaving");
  const member = await accounts.member(admin, "member@leaving.example", { capabilities: ["view"] });
  const underWay = member.here.call("GET", "/assets");
  await reached.promise;
  await admin.there.post(`/devices/${member.device_uuid}/revoke`);
  expect(await statuses(member)).toEqual([401, 401]);
  released.resolve();
  expect((await underWay).status).toBe(200);
  expect((await member.here.call("GET", "/assets")).status).toBe(401);
});

test("a request that began before its key was revoked is answered, and the next one gets 401", async () => {
  const { admin } = await accounts.workspace("revoking");
  const { id, key } = await admin.here.post<NewKey>("/api-keys", newKey("ERP"));
  const [here] = accounts.programs(key);
  const underWay = here?.call("GET", "/assets");
  await reached.promise;
  await admin.there.post(`/api-keys/${id}/revoke`);
  released.resolve();
  expect((await underWay)?.status).toBe(200);
  for (const api of accounts.programs(key)) expect((await api.call("GET", "/assets")).status).toBe(401);
});

test("a key that is rotated while it is in use is never refused, and its earlier texts end with their overlaps", async () => {
  const { admin } = await accounts.workspace("rotating");
  const { id, key } = await admin.here.post<NewKey>("/api-keys", newKey("ERP"));
  const texts = [key];
  const answers: number[] = [];
  let over = false;
  /** Uses each text in turn, like programs that get the new text at different times. */
  const use = async (gateway: number): Promise<void> => {
    for (let turn = gateway; !over; turn += 1) {
      const api = accounts.programs(texts[turn % texts.length] ?? "")[gateway % 2];
      answers.push((await api?.call("GET", "/me"))?.status ?? 0);
    }
  };
  const users = [0, 1, 2, 3].map(use);
  for (let rotation = 0; rotation < 3; rotation += 1) {
    const before = answers.length;
    const rotated = await admin.here.post<NewKey>(`/api-keys/${id}/rotate`, { overlap_seconds: 3600 });
    texts.push(rotated.key);
    await eventually(() => expect(answers.length).toBeGreaterThan(before + 16));
  }
  over = true;
  await Promise.all(users);
  expect(answers.filter((status) => status !== 200)).toEqual([]);

  accounts.identity.advance(3_600_000);
  const newest = texts.pop() ?? "";
  for (const text of texts) {
    for (const api of accounts.programs(text)) {
      await eventually(async () => expect((await api.call("GET", "/me")).status).toBe(401));
    }
  }
  for (const api of accounts.programs(newest)) expect((await api.call("GET", "/me")).status).toBe(200);
});
