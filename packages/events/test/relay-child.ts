import { createRelay } from "../src/index.ts";
import { childWorld, pauseAt } from "./child-world.ts";
import { log, SHARDS, state } from "./support-topics.ts";

const { settings, ...world } = await childWorld();
const { leaseMs, stopAt } = settings;
let paused: Promise<void> | undefined;

/** All shards stop, so that none is in the middle of a batch when the test kills or freezes the process. */
const stage = (name: string) => async () => {
  if (stopAt !== name) return;
  paused ??= pauseAt(name);
  await paused;
};

await createRelay({
  ...world,
  service: "test",
  shards: SHARDS,
  topics: [log, state],
  ...(leaseMs === undefined ? {} : { leaseMs }),
  stages: { read: stage("read"), sent: stage("sent") },
}).start();
