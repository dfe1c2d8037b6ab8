import { randomUUID } from "node:crypto";
import { eventually } from "@asset-register/harness";
import { readerKey, signAgentSync } from "@asset-register/harness/client";
import { toAppError } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { bodyHash } from "../../src/domain/ingest/signing.ts";
import { sharedTagging } from "../support.ts";
import { testReader } from "../test-reader.ts";
import type { Workspace } from "../test-workspace.ts";

const tagging = await sharedTagging();
const anonymous = { principal: { kind: "anonymous" } } as const;

async function newAgent({ admin }: Workspace, readerIds: string[] = []) {
  const { agent, token } = await tagging.agents.createAgent({ name: "Depot", readerIds }, admin);
  return { id: agent!.id, agent: agent!, token };
}

async function enrolled(workspace: Workspace, readerIds: string[] = []) {
  const { id, token } = await newAgent(workspace, readerIds);
  const answer = await tagging.agentSyncs.enrolAgent({ token }, anonymous);
  return { id, secret: answer.secret, readers: answer.readers };
}

type SyncOptions = { nonce?: string; at?: Date; rows?: bigint };

/** Syncs as an agent with this secret. */
function sync(
  { id, secret }: { id: string; secret: string },
  { nonce = randomUUID(), at = new Date(), rows }: SyncOptions = {},
) {
  const body = JSON.stringify({ nonce });
  const headers = signAgentSync(readerKey(id, secret), body, { at, nonce });
  return tagging.agentSyncs.syncAgent(
    {
      ...{ agentId: id, timestamp: headers["x-agent-timestamp"], nonce },
      ...{ signature: headers["x-agent-signature"], bodySha256: bodyHash(Buffer.from(body)) },
      version: "1.2.3",
      ...(rows !== undefined && { buffer: { rows, oldestAt: timestampFromDate(at) } }),
    },
    anonymous,
  );
}

it("an agent enrols once: of ten uses of its token at the same time one gets the secrets, and later ones none", async () => {
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const { id, agent, token } = await newAgent(workspace, [reader.id]);
  expect(agent).toMatchObject({ readerIds: [reader.id], status: 1 });
  const uses = Array.from({ length: 10 }, () => tagging.agentSyncs.enrolAgent({ token }, anonymous));
  const answers = await Promise.allSettled(uses);
  const won = answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const lost = answers.flatMap((one) => (one.status === "rejected" ? [toAppError(one.reason).code] : []));
  expect(won).toHaveLength(1);
  expect(new Set(lost)).toEqual(new Set(["AGENT_TOKEN_INVALID"]));
  expect(won[0]!.readers).toMatchObject([{ id: reader.id, name: "Gate" }]);
  expect(await failure(tagging.agentSyncs.enrolAgent({ token }, anonymous))).toMatchObject({
    code: "AGENT_TOKEN_INVALID",
  });
  const { agent: stored } = await tagging.agents.getAgent({ id }, workspace.admin);
  expect(stored).toMatchObject({ status: 2, rev: 2 });
  expect(stored!.tokenExpiresAt).toBeUndefined();
  // The secret that it got signs reads.
  const signer = testReader(workspace.id, { id: reader.id, secret: won[0]!.readers[0]!.secret });
  const [result] = await tagging.sendEvents(signer.signedEvent("303435FC8803D056D15B963F", new Date()));
  expect(result!.error).toBeUndefined();
  await eventually(() =>
    expect(tagging.auditEntries(workspace.id).map(({ action }) => action)).toContain("agent.enrolled"),
  );
});

it("a sync stores the state of the agent and answers the newest secrets of its active readers", async () => {
  const workspace = tagging.newWorkspace();
  const [first, second, third] = [
    await workspace.newReader(),
    await workspace.newReader(),
    await workspace.newReader(),
  ];
  const agent = await enrolled(workspace, [first.id, second.id, third.id]);
  const { secret } = await tagging.readers.rotateReaderSecret({ id: first.id }, workspace.admin);
  await tagging.readers.revokeReader({ id: second.id }, workspace.admin);
  const { readers } = await sync(agent, { rows: 12n });
  expect(readers.map((one) => [one.id, one.secret])).toEqual([
    [first.id, secret],
    [third.id, agent.readers[2]!.secret],
  ]);
  const { agent: stored } = await tagging.agents.getAgent({ id: agent.id }, workspace.admin);
  expect(stored).toMatchObject({ version: "1.2.3", buffer: { rows: 12n }, rev: 2 });
});

it("a sync is refused with a wrong secret, an old time, a used or malformed nonce, and by an agent that was removed", async () => {
  const workspace = tagging.newWorkspace();
  const agent = await enrolled(workspace);
  const other = await enrolled(workspace);
  const refused = (...given: Parameters<typeof sync>) => codeOf(sync(...given));
  expect(await refused({ ...agent, secret: other.secret })).toBe("AGENT_SIGNATURE_INVALID");
  expect(await refused({ ...agent, id: "agt_none" })).toBe("AGENT_SIGNATURE_INVALID");
  const old = new Date(Date.now() - 400_000);
  expect(await refused(agent, { at: old })).toBe("READER_TIMESTAMP_OUT_OF_RANGE");
  for (const wrong of ["a b", "n".repeat(65)]) {
    expect(await failure(sync(agent, { nonce: wrong }))).toMatchObject({
      ...{ code: "VALIDATION_FAILED", violations: [{ field: "X-Agent-Nonce" }] },
    });
  }
  const nonce = randomUUID();
  const both = await Promise.allSettled([sync(agent, { nonce }), sync(agent, { nonce })]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await refused(agent, { nonce })).toBe("NONCE_REUSED");
  await tagging.agents.deleteAgent({ id: agent.id }, workspace.admin);
  expect(await refused(agent)).toBe("AGENT_SIGNATURE_INVALID");
});

it("a reader is of at most one agent: of two agents that name it at the same time, one gets READER_HAS_AGENT", async () => {
  const workspace = tagging.newWorkspace();
  const { id: readerId } = await workspace.newReader();
  const both = await Promise.allSettled([newAgent(workspace, [readerId]), newAgent(workspace, [readerId])]);
  const lost = both.flatMap((one) => (one.status === "rejected" ? [toAppError(one.reason).code] : []));
  expect(lost).toEqual(["READER_HAS_AGENT"]);
  const { id } = await newAgent(workspace);
  const update = (readerIds: string[]) =>
    tagging.agents.updateAgent(
      { agent: { id, readerIds }, updateMask: { paths: ["reader_ids"] } },
      workspace.admin,
    );
  expect(await failure(update([readerId]))).toMatchObject({ code: "READER_HAS_AGENT" });
  const { agents } = await tagging.agents.listAgents({}, workspace.admin);
  const owner = agents.find(({ readerIds }) => readerIds.includes(readerId))!;
  await tagging.agents.deleteAgent({ id: owner.id }, workspace.admin);
  expect((await update([readerId])).agent).toMatchObject({ readerIds: [readerId], rev: 2 });
});

it("agents of another workspace, unknown readers and revoked ones are refused", async () => {
  const [workspace, foreign] = [tagging.newWorkspace(), tagging.newWorkspace()];
  const reader = await foreign.newReader();
  const { id } = await newAgent(foreign, [reader.id]);
  for (const attempt of [
    () => tagging.agents.getAgent({ id }, workspace.admin),
    () => tagging.agents.deleteAgent({ id }, workspace.admin),
    () => newAgent(workspace, [reader.id]),
  ]) {
    expect(await failure(attempt())).toMatchObject({ kind: "not_found" });
  }
  const revoked = await workspace.newReader();
  await tagging.readers.revokeReader({ id: revoked.id }, workspace.admin);
  expect(await failure(newAgent(workspace, [revoked.id]))).toMatchObject({ code: "READER_REVOKED" });
});
