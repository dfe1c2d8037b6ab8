import { once } from "node:events";
import { createLogger } from "@asset-register/runtime";
import { connectMongo } from "../src/index.ts";
import { createCopying } from "./copying.ts";

/** Runs a worker in a separate process. At the given stage it prints "here" and waits for a line. */
const [settings = ""] = process.argv.slice(2);
const { mongoUrl, database, stopAt, stopDone, leaseMs } = JSON.parse(settings);
const logger = createLogger({ service: "child", level: "debug" });
const mongo = await connectMongo({ url: mongoUrl, database, logger });
let stopped = false;
const work = createCopying(mongo, {
  by: "child",
  ...{ leaseMs, logger },
  reached: async (stage, done) => {
    if (stopped || stage !== stopAt || done !== stopDone) return;
    stopped = true;
    process.stdout.write("here\n");
    await once(process.stdin, "data");
  },
});
work.start();
