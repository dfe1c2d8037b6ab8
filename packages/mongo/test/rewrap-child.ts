import { createKeyring, createLogger } from "@asset-register/runtime";
import { connectMongo, rewrap } from "../src/index.ts";
import { fields, SERVICE } from "./secrets.ts";

/** Rewraps in a separate process, and stops after the first batch, so that the test can kill it there. */
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
