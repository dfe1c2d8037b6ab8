import { createConsumer } from "../src/index.ts";
import { childWorld, pauseAt } from "./child-world.ts";
import { countOnce } from "./effects.ts";

const { settings, ...world } = await childWorld();
const { sessionTimeoutMs, stopAt } = settings;

await createConsumer({
  ...world,
  group: "group",
  ...(sessionTimeoutMs === undefined ? {} : { sessionTimeoutMs }),
  subscriptions: [
    countOnce(world.mongo, async ({ sequence }) => {
      if (sequence === Number(stopAt)) await pauseAt(String(stopAt));
    }),
  ],
}).start();
