import { eventually } from "@asset-register/harness";
import { expect, test } from "vitest";
import { runAgent, startAgentProcess } from "./site/agent-process.ts";
import { sharedPlatform, stopLater } from "./site/platform.ts";
import { startRefusingPlatform } from "./site/refusing-platform.ts";

const platform = await sharedPlatform();

let used = 0;
const newEpc = (): string =>
  `3474${process.hrtime.bigint().toString(16).slice(-8)}${(++used).toString(16).padStart(4, "0")}`.toUpperCase();

/** A site whose platform refuses what it gets: one event that the platform has nevertheless, and one that it has not. */
async function startRefused() {
  const workspace = await platform.newWorkspace();
  const { id, secret } = await workspace.newReader();
  const front = stopLater(await startRefusingPlatform(platform.gateway.url));
  const input = { type: "http", format: "json", auth: "none" };
  const readers = [{ name: "gate", platform_reader: id, secret, input }];
  const agent = stopLater(await startAgentProcess({ platformUrl: front.url, readers }));
  const epcs = [newEpc(), newEpc()];
  for (const [index, answer] of (["refused, but taken", "refused"] as const).entries()) {
    front.answer(answer);
    const body = JSON.stringify({ events: [{ epc: epcs[index], ts: Date.now(), antenna: 3, rssi: -50 }] });
    const headers = { "content-type": "application/json" };
    expect((await fetch(agent.readerUrl("gate"), { method: "POST", body, headers })).status).toBe(204);
    await eventually(async () => {
      const [sum] = (await agent.status()).refused.by_code;
      expect(sum).toEqual({ reader: "gate", code: "VALIDATION_FAILED", events: index + 1 });
    });
  }
  front.answer("as the platform");
  const expectStoredOnce = () =>
    eventually(async () => {
      const stored = await platform.storedEpcs(workspace.id);
      expect(stored).toEqual(new Map(epcs.map((epc) => [epc, 1])));
      expect(await agent.status()).toMatchObject({ buffer: { rows: 0 }, refused: { by_code: [] } });
    });
  const refused = (...args: string[]) => runAgent("refused", ...args, agent.file);
  return { agent, epcs, refused, expectStoredOnce };
}

test("after the reason is mended, refused events that are sent again are stored once, also those that the platform had", async () => {
  const { epcs, refused, expectStoredOnce } = await startRefused();
  const list = await refused("list");
  expect(list.code).toBe(0);
  expect(list.output.trim().split("\n")).toEqual(
    epcs.map((epc) => expect.stringMatching(`^20\\S+ gate VALIDATION_FAILED [{]"epc":"${epc}"`)),
  );
  expect(await refused("retry", "--reader", "other")).toMatchObject({
    code: 1,
    output: expect.stringContaining("There is no reader other"),
  });
  expect(await refused("retry", "--code", "OTHER")).toMatchObject({
    output: "0 events will be sent again.\n",
  });
  expect(await refused("retry", "--reader", "gate")).toEqual({
    code: 0,
    output: "2 events will be sent again.\n",
  });
  await expectStoredOnce();
  expect(await refused("list")).toEqual({ code: 0, output: "No refused events.\n" });
});

test("while the agent does not run, refused events can be listed, dropped, and sent again at its next start", async () => {
  const { agent, epcs, refused, expectStoredOnce } = await startRefused();
  await agent.terminate();
  const { count, events } = JSON.parse((await refused("list", "--json")).output);
  expect([count, events[1]]).toMatchObject([2, { event: expect.stringContaining(epcs[1] ?? "") }]);
  expect(await refused("drop", "--code", "OTHER")).toEqual({ code: 0, output: "0 events are dropped.\n" });
  expect(await refused("retry", "--all")).toMatchObject({
    code: 0,
    output: "2 events will be sent again.\n",
  });
  await agent.start();
  await expectStoredOnce();
});

test("sending again and dropping need a choice, and refused has three actions", async () => {
  for (const args of [["retry"], ["drop"], ["send"], []])
    expect((await runAgent("refused", ...args)).code).toBe(2);
});
