import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { eventually } from "@asset-register/harness";
import { createUserApi } from "@asset-register/harness/client";
import { fillDemo, seedDemo } from "@asset-register/local";
import { expect, test } from "vitest";
import { joinPlatform } from "./platform.ts";

type Zone = { name: string; assets: number; unknown: number };
type Listed<T> = { data: T[]; total: number };

const { demo, platform } = await joinPlatform();

test("the demo has assets in each zone and alerts that its reads have raised; it is filled once", async () => {
  const { get } = createUserApi(demo.base_url, demo);
  const fill = () => fillDemo(demo.base_url, demo, () => {});
  await fill();
  await eventually(async () => {
    const { data } = await get<Listed<Zone>>("/zones/presence");
    expect(data.map(({ name, assets, unknown }) => [name, assets, unknown])).toEqual([
      ["Entrance", 2, 2],
      ["Workshop", 4, 0],
      ["Warehouse", 4, 0],
      ["Server room", 7, 0],
    ]);
    expect((await get<Listed<unknown>>("/alerts")).total).toBeGreaterThanOrEqual(6);
  });
  const { total } = await get<Listed<unknown>>("/assets");
  await fill();
  expect((await get<Listed<unknown>>("/assets")).total).toBe(total);
});

test("a workspace whose filling is interrupted is not used again, and one that is filled is kept", async () => {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-demo-"));
  const filled: string[] = [];
  const start = (fill?: () => Promise<void>) =>
    seedDemo({
      ...{ env: platform.services.identity?.env ?? {}, gatewayUrl: demo.base_url, dataDirectory },
      ...{ tag: "interrupted", progress: () => {} },
      fill: async ({ workspace_id }) => {
        filled.push(workspace_id);
        await fill?.();
      },
    });
  await expect(start(() => Promise.reject(new Error("interrupted")))).rejects.toThrow("interrupted");
  const second = await start();
  const third = await start();
  expect(filled).toEqual([filled[0], second.workspace_id, second.workspace_id]);
  expect(second.workspace_id).not.toBe(filled[0]);
  expect(third).toEqual(second);
  await rm(dataDirectory, { recursive: true });
});
