import { createKeyring, createLogger } from "@asset-register/runtime";
import { connectMongo, rewrap } from "../src/index.ts";
import { fields, SERVICE } from "./secrets.ts";

/** Rewraps in a process of its own, and stays after the first batch, to be killed there. */
const [settings = ""] = process.argv.slice(2);
const { mongoUrl, database, keyring } = JSON.parse(settings);
const logger = createLogger({ service: "child", level: "silent" });
const mongo = await connectMongo({ url: mongoUrl, database, logger });
await rewrap(mongo, createKeyring(keyring), SERVICE, fields, {
  batchSize: 10,
  progress: async () => {
    process.stdout.write("batch\n");
    await new Promise<never>(() => {});
  },
});
