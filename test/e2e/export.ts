import { eventually, testServers } from "@asset-register/harness";
import { createApi, type Demo } from "@asset-register/harness/client";
import type { Platform } from "@asset-register/local";
import mongoose from "mongoose";
import { beforeAll, describe, expect, test } from "vitest";
import { joinPlatform } from "./platform.ts";

type Row = { _id: string; workspaceId: string; numberKeys: string[] };

/** About 80 MB, more than the buffers on the way hold. */
const ROWS = 20_000;
const DESCRIPTION = "x".repeat(4_000);

describe("an export", () => {
  let demo: Demo;
  let platform: Platform;
  let headers: { authorization: string };

  beforeAll(async () => {
    ({ demo, platform } = await joinPlatform());
    const surfaceB = createApi(`${demo.base_url}/asset_manager_api`);
    const { email, password } = demo;
    const { access_token } = await surfaceB.post<{ access_token: string }>("/login", { email, password });
    headers = { authorization: `Bearer ${access_token}` };
    const user = createApi(`${demo.base_url}/asset_manager_api`, access_token);
    const { id } = await user.post<{ id: string }>("/assets", { name: "Drill" });
    const connection = await mongoose.createConnection(testServers().mongoUrl).asPromise();
    const assets = connection
      .getClient()
      .db(platform.services.register?.env.MONGO_DATABASE)
      .collection<Row>("assets");
    const original = await assets.findOne({ _id: id });
    if (original === null) throw new Error("the asset is not stored");
    const copies = Array.from({ length: ROWS }, (_, index) => ({
      ...{ ...original, description: DESCRIPTION, _id: `${original._id}${String(index).padStart(6, "0")}` },
      ...{ numberKey: `copy-${index}`, numberKeys: [`copy-${index}`], number: `COPY-${index}` },
    }));
    await assets.insertMany(copies);
    await connection.close();
  });

  const download = () => fetch(`${demo.base_url}/asset_manager_api/export/register.csv`, { headers });

  test("an export is complete; when the register is killed in the middle, the connection is reset", async () => {
    const whole = await (await download()).text();
    expect(whole.split("\r\n").length).toBeGreaterThan(ROWS);

    const interrupted = await download();
    expect(interrupted.status).toBe(200);
    const reader = interrupted.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    process.kill(platform.services.register?.pid() ?? 0, "SIGKILL");
    const readRest = async () => {
      while ((await reader?.read())?.done === false);
    };
    await expect(readRest()).rejects.toThrow();
    // The gateway itself works on, and says that the register does not.
    await eventually(async () => expect((await download()).status).toBe(503));
  });
});
