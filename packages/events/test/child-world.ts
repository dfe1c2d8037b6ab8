import { once } from "node:events";
import { createInterface } from "node:readline";
import { connectMongo } from "@asset-register/mongo";
import { createLogger, createMetrics } from "@asset-register/runtime";
import { connectKafka } from "../src/index.ts";
import type { ChildSettings } from "./child.ts";

/** Connects a child process to the servers of the test. It logs to the output that the test reads. */
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

/** Prints the name of the stage, and continues after the test has written a line. */
export async function pauseAt(name: string): Promise<void> {
  const input = createInterface({ input: process.stdin });
  process.stdout.write(`at ${name}\n`);
  await once(input, "line");
  input.close();
}
