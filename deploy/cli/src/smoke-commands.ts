import { loadConfig, settings } from "@asset-register/runtime";
import { Command } from "commander";
import { z } from "zod";
import { smokeTest } from "./smoke-test.ts";

const schema = z.object({
  SMOKE_TEST_EMAIL: z.string(),
  SMOKE_TEST_PASSWORD: z.string(),
  /** How long the platform may take to show a read. */
  SMOKE_TEST_TIMEOUT: settings.duration().prefault("60s"),
});

export function smokeCommands(): Command {
  return new Command("smoke-test")
    .description(
      "Do the main job with the platform: sign in (SMOKE_TEST_EMAIL, SMOKE_TEST_PASSWORD), create an asset, send a signed read, wait until the asset and the feed show it",
    )
    .argument("<url>", "of the gateway, for example http://127.0.0.1:8080")
    .action(async (url: string) => {
      const config = loadConfig(schema, process.env);
      await smokeTest({
        ...{ url, email: config.SMOKE_TEST_EMAIL, password: config.SMOKE_TEST_PASSWORD },
        timeoutMs: config.SMOKE_TEST_TIMEOUT,
        done: (step) => console.log(step),
      });
    });
}
