import { loadConfig, runApp } from "@asset-register/runtime";
import { buildApp } from "./app.ts";
import { configSchema } from "./config.ts";

await runApp(() => buildApp(loadConfig(configSchema, process.env)));
