import { createConsumer, subscribeOnce } from "../src/index.ts";
import { childWorld, stopHere } from "./child-world.ts";
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
        // The effect is written and its transaction not committed.
        if (event.sequence === Number(stopAt)) await stopHere(String(stopAt));
      },
    }),
  ],
}).start();
