import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { eventually } from "@asset-register/harness";
import { expect, test } from "vitest";
import { startAgentProcess } from "./site/agent-process.ts";
import { startNetwork } from "./site/network.ts";
import { sharedPlatform, stopLater } from "./site/platform.ts";
import { startGate } from "./site/simulated-gate.ts";

const platform = await sharedPlatform();

type Options = Omit<Partial<Parameters<typeof startAgentProcess>[0]>, "readers" | "platformUrl">;

/** A workspace with a reader, its agent, and a network between agent and platform. */
async function startSite(options: Options = {}) {
  const workspace = await platform.newWorkspace();
  const { id, secret } = await workspace.newReader();
  const network = stopLater(await startNetwork(platform.gateway.url));
  const input = { type: "http", format: "json", auth: "none" };
  const readers = [{ name: "gate", platform_reader: id, secret, input }];
  const agent = stopLater(await startAgentProcess({ platformUrl: network.url, readers, ...options }));
  const gate = startGate(agent.readerUrl("gate"));
  const untilAcknowledged = (more: number) => {
    const least = gate.acknowledged.length + more;
    return eventually(() => expect(gate.acknowledged.length).toBeGreaterThanOrEqual(least));
  };
  /** Every read that was acknowledged is stored once, and nothing waits. */
  const expectAllStoredOnce = async (): Promise<void> => {
    const epcs = await gate.finish();
    await eventually(async () => expect((await agent.status()).buffer.rows).toBe(0));
    await eventually(async () => {
      const stored = await platform.storedEpcs(workspace.id);
      expect(epcs.filter((epc) => stored.get(epc) !== 1)).toEqual([]);
      expect(stored.size).toBe(epcs.length);
    });
    expect((await agent.status()).refused.by_code).toEqual([]);
  };
  return { agent, gate, network, untilAcknowledged, expectAllStoredOnce };
}

test("reads of a reader are stored by the platform once", async () => {
  const { agent, untilAcknowledged, expectAllStoredOnce } = await startSite();
  await untilAcknowledged(200);
  await expectAllStoredOnce();
  const { readers, platform: upload } = await agent.status();
  expect(readers[0]).toMatchObject({ problem: null, refused_events: 0, waiting: 0, clock_off_ms: 0 });
  expect(upload.last_upload_at).not.toBeNull();
});

test("an agent that is killed again and again while reads come in loses and repeats nothing", async () => {
  const { agent, untilAcknowledged, expectAllStoredOnce } = await startSite();
  for (let kills = 0; kills < 3; kills += 1) {
    await untilAcknowledged(150);
    await agent.kill();
    await agent.start();
  }
  await untilAcknowledged(50);
  await expectAllStoredOnce();
});

test("while the network is cut reads are acknowledged, and they reach the platform when it is back", async () => {
  const { agent, network, untilAcknowledged, expectAllStoredOnce } = await startSite();
  await untilAcknowledged(100);
  network.cut();
  await untilAcknowledged(300);
  expect((await agent.status()).buffer.rows).toBeGreaterThan(100);
  network.restore();
  await untilAcknowledged(50);
  await expectAllStoredOnce();
});

test("an agent that is killed while the network is cut sends everything after its start", async () => {
  const { agent, network, untilAcknowledged, expectAllStoredOnce } = await startSite();
  network.cut();
  await untilAcknowledged(300);
  await agent.kill();
  network.restore();
  await agent.start();
  await expectAllStoredOnce();
});

test("reads that come in while the platform is killed and starts again are stored once", async () => {
  const { agent, untilAcknowledged, expectAllStoredOnce } = await startSite();
  await untilAcknowledged(100);
  await platform.gateway.kill();
  await untilAcknowledged(300);
  await eventually(async () => expect((await agent.status()).platform.problem).not.toBeNull());
  await platform.gateway.restart();
  await untilAcknowledged(50);
  await expectAllStoredOnce();
  expect((await agent.status()).platform.problem).toBeNull();
});

test("an agent that is stopped keeps what is not sent", async () => {
  const { agent, network, untilAcknowledged, expectAllStoredOnce } = await startSite();
  network.cut();
  await untilAcknowledged(100);
  expect(await agent.terminate()).toBe(0);
  network.restore();
  await agent.start();
  await expectAllStoredOnce();
});

test("a full buffer refuses reads, and takes them when there is room again", async () => {
  const { agent, gate, network, expectAllStoredOnce } = await startSite({ buffer: { max_bytes: "128KiB" } });
  network.cut();
  await eventually(() => expect(gate.statuses).toContain(503));
  expect((await agent.status()).buffer.full).toContain("131072");
  network.restore();
  await expectAllStoredOnce();
});

const canMount = (): boolean => {
  try {
    execFileSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

test.runIf(canMount())("a full disk refuses reads, and loses none of those that were taken", async () => {
  // Seen only by the agent, which leaves 16 MiB (16384k) free.
  const data = mkdtempSync(path.join(tmpdir(), "edge-agent-disk-"));
  const mount = `mount -t tmpfs -o size=16800k tmpfs ${data} && exec "$@"`;
  const wrapper = ["unshare", "-rm", "sh", "-c", mount, "sh"];
  const { agent, gate, network, expectAllStoredOnce } = await startSite({ data, wrapper });
  network.cut();
  await eventually(() => expect(gate.statuses).toContain(503));
  expect((await agent.status()).buffer.full).toBe("The disk is full.");
  network.restore();
  await expectAllStoredOnce();
});
