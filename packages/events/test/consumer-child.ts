import { createConsumer, subscribeOnce } from "../src/index.ts";
import { childWorld, pauseAt } from "./child-world.ts";
import { countEffect } from "./effects.ts";
import { log } from "./support-topics.ts";

const { settings, ...world } = await childWorld();
const { sessionTimeoutMs, stopAt } = settings;

await createConsumer({
  ...world,
  group: "group",
  ...(sessionTimeoutMs === undefined ? {} : { sessionTimeoutMs }),
  subscriptions: [
    subscribeOnce(log, {
      async handle(event, session) {
        await countEffect(world.mongo, event, session);
        // The effect is written, and its transaction is not committed yet.
        if (event.sequence === Number(stopAt)) await pauseAt(String(stopAt));
      },
    }),
  ],
}).start();
