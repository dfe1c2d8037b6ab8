import { createRelay } from "../src/index.ts";
import { childWorld, stopHere } from "./child-world.ts";

const { settings, ...world } = await childWorld();
const { leaseMs, stopAt } = settings;
let stopped = false;

const stage = (name: string) => async () => {
  if (stopAt !== name || stopped) return;
  stopped = true;
  await stopHere(name);
};

await createRelay({
  ...world,
  service: "test",
  ...(leaseMs === undefined ? {} : { leaseMs }),
  stages: { read: stage("read"), sent: stage("sent") },
}).start();
