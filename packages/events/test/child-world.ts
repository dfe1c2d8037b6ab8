import { once } from "node:events";
import { createInterface } from "node:readline";
import { connectMongo } from "@asset-register/mongo";
import { createLogger, createMetrics } from "@asset-register/runtime";
import { connectKafka } from "../src/index.ts";
import type { ChildSettings } from "./child.ts";

/** The test's world as seen from a child process; its log goes to the output that the test reads. */
export async function childWorld() {
  const settings: ChildSettings = JSON.parse(process.argv[2] ?? "{}");
  const logger = createLogger({ service: "child", level: "warn" });
  const { brokers, prefix, mongoUrl, database } = settings;
  return {
    settings,
    logger,
    metrics: createMetrics({ service: "child" }),
    mongo: await connectMongo({ url: mongoUrl, database, logger }),
    kafka: connectKafka({ brokers, clientId: "child", topicPrefix: prefix, logger }),
  };
}

/** Says where the process is and goes on when it is told. */
export async function stopHere(name: string): Promise<void> {
  const input = createInterface({ input: process.stdin });
  process.stdout.write(`at ${name}\n`);
  await once(input, "line");
  input.close();
}
