import { DEFAULT_SHARDS } from "@asset-register/events";
import { eventually } from "@asset-register/harness";
import { subscribe } from "@asset-register/redis";
import { createLogger } from "@asset-register/runtime";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { startIdentity } from "../support.ts";

const logger = createLogger({ service: "test", level: "silent" });

const service = await startIdentity({ ROLES: "api" });
afterAll(service.stop);

test("a process without a relay tells those of other processes which shards have rows", async () => {
  const { as } = await service.seed("news");
  const heard: string[] = [];
  const subscription = subscribe(
    `asset-register:outbox:${service.database}`,
    { url: service.env.REDIS_URL ?? "", timeoutMs: 20_000, logger },
    { onMessage: (text) => heard.push(...text.split("\n")) },
  );
  onTestFinished(subscription.stop);
  subscription.start();
  let count = 0;
  // Messages that are published before the subscription begins are lost.
  await eventually(async () => {
    count += 1;
    await service.workspaces.updateWorkspace({ name: `News ${count}` }, as);
    expect(heard).not.toEqual([]);
  });
  for (const shard of heard) expect(Number(shard)).toBeLessThan(DEFAULT_SHARDS);
});
