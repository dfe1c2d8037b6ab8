import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startGatewayProcess, testKeys } from "@asset-register/harness";
import { startServer } from "@asset-register/local";
import { startFakeService } from "@asset-register/service-harness";
import { createAccounts } from "../../gateway/test/accounts.ts";
import { createModelFeeds } from "../../gateway/test/events/model-feed.ts";
import { gatewaySettings } from "../../gateway/test/gateway.ts";
import { cpuTime } from "./cpu.ts";

/**
 * What 5,000 idle event streams cost a gateway: KiB each, and CPU time. The services behind it are fakes in this process;
 * the feed is that of 25 workspaces with 10 keys each.
 *
 *     node test/bench/idle-streams.ts
 */
const [WORKSPACES, KEYS, STREAMS_OF_KEY] = [25, 10, 20];
const STREAMS = WORKSPACES * KEYS * STREAMS_OF_KEY;
const WATCHED_MS = 30_000;
const OPENED_AT_ONCE = 50;

const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-streams-"));
const redis = await startServer("redis", { dataDirectory, progress: () => {}, source: "private" });
const accounts = createAccounts();
const keys = testKeys("gateway", "upstream");
const implementations = [accounts.implementation, ...createModelFeeds().implementations];
const upstream = await startFakeService("upstream", keys, implementations);
const gateway = await startGatewayProcess({
  ...gatewaySettings(keys, upstream, upstream, redis.url),
  ...{ NOTIFICATION_ADDRESS: upstream.address, RATE_LIMIT_BUSINESS: "6000000/1000000" },
  MAX_CONNECTIONS_PER_NETWORK: String(2 * STREAMS),
});
const pid = gateway.pid();
const residentKib = (): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
const agent = new Agent({ keepAlive: false });

/** Opens a stream, and waits for its first bytes. */
function open(key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    request(`${gateway.url}/v1/events/stream`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a stream returned ${response.statusCode}`));
      response.on("data", () => resolve());
    })
      .on("error", reject)
      .end();
  });
}

try {
  const all = Array.from({ length: WORKSPACES }, () =>
    accounts.sameWorkspaceKeys(KEYS, "events:read"),
  ).flat();
  // The memory of the code and of its first use is not the cost of a stream.
  for (const key of all) await open(key);
  await sleep(5_000);
  const before = residentKib();
  const rest = all.flatMap((key) => Array.from({ length: STREAMS_OF_KEY - 1 }, () => key));
  for (let from = 0; from < rest.length; from += OPENED_AT_ONCE) {
    await Promise.all(rest.slice(from, from + OPENED_AT_ONCE).map(open));
  }
  await sleep(5_000);
  const each = (residentKib() - before) / rest.length;
  const cpuBefore = cpuTime(pid) ?? 0;
  await sleep(WATCHED_MS);
  const cpu = ((cpuTime(pid) ?? 0) - cpuBefore) / 1_000 / WATCHED_MS;
  process.stdout.write(
    `${STREAMS} idle streams: ${each.toFixed(1)} KiB each, ${(cpu * 100).toFixed(1)}% of a core, load ${loadavg()[0]?.toFixed(1)}\n`,
  );
} finally {
  agent.destroy();
  await gateway.stop();
  await upstream.stop();
  await redis.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}
process.exit();
