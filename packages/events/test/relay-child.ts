import { createRelay } from "../src/index.ts";
import { childWorld, pauseAt } from "./child-world.ts";
import { log, state } from "./support-topics.ts";

const { settings, ...world } = await childWorld();
const { leaseMs, stopAt } = settings;
let stopped = false;

const stage = (name: string) => async () => {
  if (stopAt !== name || stopped) return;
  stopped = true;
  await pauseAt(name);
};

await createRelay({
  ...world,
  service: "test",
  topics: [log, state],
  ...(leaseMs === undefined ? {} : { leaseMs }),
  stages: { read: stage("read"), sent: stage("sent") },
}).start();
