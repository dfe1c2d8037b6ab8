import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { eventually } from "@asset-register/harness";
import { expect, test } from "vitest";
import { MAIN, startAgentProcess } from "./site/agent-process.ts";
import { sharedPlatform, stopLater } from "./site/platform.ts";

const platform = await sharedPlatform();

/** A reader of a new workspace, an agent of the platform that has it, and the agent at the site, not enrolled yet. */
async function startSite() {
  const workspace = await platform.newWorkspace();
  const { id: readerId } = await workspace.newReader();
  const { token } = await platform.tagging.agents.createAgent(
    { name: "Depot", readerIds: [readerId] },
    workspace.admin,
  );
  const input = { type: "http", format: "json", auth: "none" };
  // By its name at the platform.
  const readers = [{ name: "Gate", input }];
  const agent = stopLater(await startAgentProcess({ platformUrl: platform.gateway.url, readers }));
  const read = async (epc: string): Promise<void> => {
    const body = JSON.stringify({ events: [{ epc }] });
    const headers = { "content-type": "application/json" };
    expect((await fetch(agent.readerUrl("Gate"), { method: "POST", body, headers })).status).toBe(204);
  };
  const untilStored = (epc: string) =>
    eventually(async () => expect((await platform.storedEpcs(workspace.id)).get(epc)).toBe(1));
  return { workspace, readerId, token, agent, read, untilStored };
}

const enrol = (token: string, file: string) =>
  promisify(execFile)(process.execPath, [MAIN, "enrol", token, file]);

test("an agent that is enrolled while it runs sends what was read before, and its token is used up", async () => {
  const { agent, token, read, untilStored } = await startSite();
  await read("E28011600000000000000001");
  const { stdout } = await enrol(token, agent.file);
  expect(stdout).toContain("Enrolled as Depot (agt_");
  await untilStored("E28011600000000000000001");
  expect((await agent.status()).agent).toMatchObject({ name: "Depot" });
  await expect(enrol(token, agent.file)).rejects.toMatchObject({ code: 1 });
});

test("a secret that is rotated without an overlap is learned with the next batch", async () => {
  const { agent, token, readerId, workspace, read, untilStored } = await startSite();
  await enrol(token, agent.file);
  await agent.terminate();
  await agent.start();
  await read("E28011600000000000000002");
  await untilStored("E28011600000000000000002");
  await platform.tagging.readers.rotateReaderSecret({ id: readerId, overlapSeconds: 0 }, workspace.admin);
  await read("E28011600000000000000003");
  await untilStored("E28011600000000000000003");
});

test("the platform learns version and buffer of the agent", async () => {
  const { agent, token, workspace } = await startSite();
  await enrol(token, agent.file);
  await agent.terminate();
  await agent.start();
  await eventually(async () => {
    const { agents } = await platform.tagging.agents.listAgents({}, workspace.admin);
    expect(agents).toMatchObject([{ name: "Depot", version: "1.0.0", buffer: { rows: 0n } }]);
  });
});
