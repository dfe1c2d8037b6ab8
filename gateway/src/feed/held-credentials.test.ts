import { Plan } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { unauthenticated, unavailable } from "@asset-register/runtime";
import { expect, test } from "vitest";
import type { Caller } from "../credentials.ts";
import { createHeldCredentials } from "./held-credentials.ts";

const caller = (id: string): Caller => ({
  ...{ versions: { keys: [id], known: [1] }, expiresAt: undefined, validUntil: undefined },
  ...{ keyName: "", mfaEnrolmentRequired: false, allowedFrom: undefined, currencyDigits: 2 },
  workspace: { plan: Plan.BUSINESS } as Caller["workspace"],
  principal: { kind: "api_key", workspaceId: "wsp_1", id, scopes: ["events:read"] },
});

/** Credentials c0, c1 ..., each with one holder. */
function hold(count: number) {
  let time = 0;
  let stale: (() => boolean[]) | undefined = () => Array(count).fill(false);
  const verified: string[] = [];
  const ended: string[] = [];
  let verify = async (credential: string) => caller(credential);
  const held = createHeldCredentials(
    {
      verifyAgain: (_kind, credential) => {
        verified.push(credential);
        return verify(credential);
      },
    },
    { staleOf: async () => stale?.() },
    () => time,
  );
  for (let index = 0; index < count; index += 1) {
    const id = `c${index}`;
    held.add(id, caller(id), { address: "192.0.2.1", credentialEnded: () => ended.push(id) });
  }
  return {
    ...{ held, verified, ended },
    setRedis(answer: (() => boolean[]) | undefined) {
      stale = answer;
    },
    setIdentity(answer: typeof verify) {
      verify = answer;
    },
    /** The checks of this many seconds. */
    async pass(seconds: number) {
      for (let passed = 0; passed < seconds; passed += 4) {
        time += 4_000;
        await held.check();
      }
    },
  };
}

test("without Redis identity is asked for each credential once a minute, not for all at once", async () => {
  const run = hold(30);
  run.setRedis(undefined);
  await run.pass(60);
  run.verified.length = 0;
  await run.pass(4);
  expect(run.verified).toHaveLength(2);
  await run.pass(56);
  expect([...run.verified].sort()).toEqual(Array.from({ length: 30 }, (_, index) => `c${index}`).sort());
});

test("with Redis identity is asked only for credentials with a newer version", async () => {
  const run = hold(3);
  await run.pass(600);
  expect(run.verified).toEqual([]);
  run.setRedis(() => [false, true, false]);
  await run.pass(4);
  expect(run.verified).toEqual(["c1"]);
});

test("after an outage of Redis each credential is verified once: a change may be missing there", async () => {
  const run = hold(3);
  await run.pass(4);
  run.held.doubt();
  await run.pass(60);
  expect([...run.verified].sort()).toEqual(["c0", "c1", "c2"]);
});

test("a refused credential ends its holders; while identity is unavailable they stay, and it is asked again", async () => {
  const run = hold(1);
  run.setRedis(() => [true]);
  run.setIdentity(() => Promise.reject(unavailable()));
  await run.pass(8);
  expect([run.verified.length, run.ended]).toEqual([2, []]);
  run.setIdentity(() => Promise.reject(unauthenticated()));
  await run.pass(4);
  expect(run.ended).toEqual(["c0"]);
});

test("another plan, other scopes or an address that is not allowed any more end the holders", async () => {
  const changes: ((before: Caller) => Caller)[] = [
    (before) => ({ ...before, workspace: { plan: Plan.STARTER } as Caller["workspace"] }),
    (before) => ({ ...before, principal: { ...before.principal, scopes: [] } as Caller["principal"] }),
    (before) => ({ ...before, allowedFrom: { admits: () => false } as Caller["allowedFrom"] }),
  ];
  for (const change of changes) {
    const run = hold(1);
    run.setRedis(() => [true]);
    run.setIdentity(async (credential) => change(caller(credential)));
    await run.pass(4);
    expect(run.ended).toEqual(["c0"]);
  }
});

test("a holder that was authenticated before a change of rights does not join those after it", async () => {
  const run = hold(1);
  const before = {
    ...caller("c0"),
    principal: { ...caller("c0").principal, scopes: ["events:read", "finance"] },
  };
  run.held.add("c0", before as Caller, {
    address: "192.0.2.1",
    credentialEnded: () => run.ended.push("old"),
  });
  await Promise.resolve();
  expect(run.ended).toEqual(["old"]);
});

test("the end of a credential leaves a holder that came after its last one had left", async () => {
  const run = hold(0);
  const first = { address: "192.0.2.1", credentialEnded: () => run.ended.push("first") };
  const second = { address: "192.0.2.1", credentialEnded: () => run.ended.push("second") };
  run.held.add("key", caller("key"), first);
  run.setRedis(() => [true]);
  run.setIdentity(async () => {
    // Meanwhile the client of the first holder leaves and opens again.
    run.held.remove("key", first);
    run.held.add("key", caller("key"), second);
    throw unauthenticated();
  });
  await run.pass(4);
  expect(run.ended).toEqual([]);
  run.setIdentity(() => Promise.reject(unauthenticated()));
  await run.pass(4);
  expect(run.ended).toEqual(["second"]);
});
