import { createLogger } from "@asset-register/runtime";
import { connectMongo } from "../src/index.ts";
import { secretsOf } from "./secrets.ts";

/** Changes all secrets in a separate process: every second one with the old key. */
const [settings = ""] = process.argv.slice(2);
const { mongoUrl, database, keyrings } = JSON.parse(settings);
const logger = createLogger({ service: "child", level: "silent" });
const mongo = await connectMongo({ url: mongoUrl, database, logger });
for (const [index, row] of (await secretsOf(mongo, keyrings[0]).hookRows()).entries()) {
  await secretsOf(mongo, keyrings[index % 2]).rotateHook(row, `after ${row._id}`);
}
await mongo.close();
