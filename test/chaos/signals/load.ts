import { setTimeout as sleep } from "node:timers/promises";
import { type Api, createApi, createUserApi, type Demo } from "@asset-register/harness/client";
import { prepareFleet } from "../../simulator/fleet.ts";
import type { Options } from "../../simulator/options.ts";
import { createReport } from "../../simulator/report.ts";
import { patient } from "../../simulator/retry.ts";
import { runFleet } from "../../simulator/run.ts";
import { createSender } from "../../simulator/send.ts";

/** 2 and 4 in a second, besides the reads of tags. A breaker opens at 20 calls in 10 s. */
const WRITE_EVERY_MS = 500;
const READ_EVERY_MS = 250;

const FLEET: Options = {
  ...{ readers: 3, rate: 8, seed: 1, seconds: 0, demoFile: "" },
  profiles: ["portal", "sled", "phone"],
  ...{ tags: 100, assets: 20, duplicates: 0.1, badSignatures: 0, offline: 0.1, skew: 1 },
};

/**
 * A steady load until `stop`: signed reads, new assets, and lists of work orders. Failed requests are not repeated: they are
 * what alerts are about.
 */
export async function startLoad(demo: Demo, progress: (line: string) => void) {
  const user = createUserApi(demo.base_url, demo);
  const sender = createSender({
    keyApi: unfailing(createApi(`${demo.base_url}/v1`, demo.api_key)),
    devices: unfailing(createApi(`${demo.base_url}/asset_manager_api`)),
    report: createReport(),
  });
  // Made beforehand: during a fault nobody can sign in.
  const unsigned = { ...FLEET, seed: 2, badSignatures: 1 };
  const unsignedFleet = await prepareFleet(unsigned, demo, progress);
  let isRunning = true;
  const running = () => isRunning;
  let last = 0;
  const createAsset = () => {
    last += 1;
    return user.post("/assets", { name: `Signals ${last}` });
  };
  const work = [
    runFleet(await prepareFleet(FLEET, demo, progress), FLEET, sender, running),
    repeat(WRITE_EVERY_MS, running, createAsset),
    repeat(READ_EVERY_MS, running, () => user.get("/work-orders")),
  ];
  return {
    /** For settings. It tries again. */
    user: patient(user),
    /** More readers, whose signatures are all wrong, until the returned function is called. */
    sendWrongSignatures(): () => void {
      let isSending = true;
      work.push(runFleet(unsignedFleet, unsigned, sender, () => isSending && isRunning));
      return () => {
        isSending = false;
      };
    },
    async stop(): Promise<void> {
      isRunning = false;
      await Promise.all(work);
    },
  };
}

export type Load = Awaited<ReturnType<typeof startLoad>>;

/** Makes a request each `everyMs`, also while earlier ones hang. */
async function repeat(
  everyMs: number,
  goesOn: () => boolean,
  request: () => Promise<unknown>,
): Promise<void> {
  while (goesOn()) {
    void request().catch(() => undefined);
    await sleep(everyMs);
  }
}

/** A connection that ends is an answer, too. */
function unfailing(api: Api): Api {
  const call: Api["call"] = (...request) =>
    api.call(...request).catch(() => ({ status: 0, headers: new Headers(), body: {} }));
  return { ...api, call };
}
