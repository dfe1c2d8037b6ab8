import { toAppError } from "@asset-register/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningIdentity, startIdentity } from "./support.ts";

let service: RunningIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.stop());

const LOST = "PRECONDITION_FAILED";

const codeOf = (call: Promise<unknown>): Promise<string | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => toAppError(error).code,
  );

const names = ["Ben", "Cleo", "Dora"];

describe("of several at once that read the same, one is made and the others are told that it changed", () => {
  test("renamings of a user", async () => {
    const { as, admin } = await service.seed("race-user");
    const rename = (name: string) => service.users.updateUser({ id: admin.id, name, ifRevIn: [1n] }, as);
    const codes = await Promise.all(names.map((name) => codeOf(rename(name))));
    expect(codes.toSorted()).toEqual([LOST, LOST, undefined]);
    const { user } = await service.users.getUser({ id: admin.id }, as);
    expect(user).toMatchObject({ name: names[codes.indexOf(undefined)], rev: 2n });
    expect(await service.audited(as, "user.renamed")).toHaveLength(1);
  });

  test("settings of a workspace", async () => {
    const { as } = await service.seed("race-workspace");
    const rename = (name: string) => service.workspaces.updateWorkspace({ name, ifRevIn: [1n] }, as);
    const codes = await Promise.all(names.map((name) => codeOf(rename(name))));
    expect(codes.toSorted()).toEqual([LOST, LOST, undefined]);
    const { workspace } = await service.workspaces.getWorkspace({}, as);
    expect(workspace).toMatchObject({ name: names[codes.indexOf(undefined)], rev: 2n });
  });

  test("rotations of a key, and its end", async () => {
    const { as, id } = await keyOf("race-key");
    const { apiKeys } = service;
    const at = { id, ifRevIn: [1n] };
    const steps = [apiKeys.rotateApiKey, apiKeys.revokeApiKey, apiKeys.rotateApiKey];
    const codes = await Promise.all(steps.map((step) => codeOf(step(at, as))));
    expect(codes.toSorted()).toEqual([LOST, LOST, undefined]);
    const { apiKey } = await apiKeys.getApiKey({ id }, as);
    expect(apiKey?.rev).toBe(2n);
    expect(apiKey?.revokedAt !== undefined).toBe(codes[1] === undefined);
  });
});

type As = Awaited<ReturnType<RunningIdentity["seed"]>>["as"];

const newKey = async (as: As): Promise<string> =>
  (await service.apiKeys.createApiKey({ name: "ERP", scopes: ["assets:read"] }, as)).apiKey!.id;

async function keyOf(name: string) {
  const { as } = await service.seed(name);
  return { as, id: await newKey(as) };
}

test("another rev changes nothing, and is told before any rule is", async () => {
  const { as, admin } = await service.seed("stale");
  const id = await newKey(as);
  const refused = [
    // The last admin may not go, and nobody gets so far.
    service.users.updateUser({ id: admin.id, admin: false, ifRevIn: [7n] }, as),
    service.users.updateUser({ id: admin.id, name: "x", ifRevIn: [0n] }, as),
    service.workspaces.updateWorkspace({ name: "x", ifRevIn: [0n, 2n] }, as),
    service.apiKeys.rotateApiKey({ id, ifRevIn: [2n] }, as),
    service.apiKeys.revokeApiKey({ id, ifRevIn: [0n] }, as),
  ];
  expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => LOST));
  expect((await service.users.getUser({ id: admin.id }, as)).user).toMatchObject({ name: "Ada", rev: 1n });
  expect((await service.workspaces.getWorkspace({}, as)).workspace?.rev).toBe(1n);
  const { apiKey } = await service.apiKeys.revokeApiKey({ id, ifRevIn: [5n, 1n] }, as);
  expect(apiKey?.rev).toBe(2n);
  // What would change nothing is no exception.
  expect(await codeOf(service.apiKeys.revokeApiKey({ id, ifRevIn: [1n] }, as))).toBe(LOST);
});

test("what is another workspace's is not found at whatever rev", async () => {
  const { admin } = await service.seed("theirs");
  const { id } = await keyOf("theirs-key");
  const { as } = await service.seed("stranger");
  for (const ifRevIn of [[1n], [9n]]) {
    const refused = [
      service.users.updateUser({ id: admin.id, name: "x", ifRevIn }, as),
      service.apiKeys.rotateApiKey({ id, ifRevIn }, as),
      service.apiKeys.revokeApiKey({ id, ifRevIn }, as),
    ];
    expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => "NOT_FOUND"));
  }
});

test("a repeat under its Idempotency-Key has its answer, although the rev has moved on", async () => {
  const { as, id } = await keyOf("keyed");
  const keyed = { ...as, idempotencyKey: "rotate-once" };
  const first = await service.apiKeys.rotateApiKey({ id, ifRevIn: [1n] }, keyed);
  await service.apiKeys.rotateApiKey({ id, ifRevIn: [2n] }, as);
  expect(await service.apiKeys.rotateApiKey({ id, ifRevIn: [1n] }, keyed)).toEqual(first);
  expect((await service.apiKeys.getApiKey({ id }, as)).apiKey?.rev).toBe(3n);
});
