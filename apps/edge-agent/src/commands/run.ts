import { buildAgent } from "../app.ts";
import { loadConfig } from "../config/load.ts";
import { VERSION } from "../version.ts";
import type { Command } from "./command.ts";

/** Runs the agent until SIGTERM or SIGINT. A second signal ends it at once. */
export const run: Command = async ({ env, file, log }) => {
  const agent = buildAgent(loadConfig(file, env), { log, key: env.AGENT_KEY });
  try {
    await agent.start();
  } catch (error) {
    await agent.stop();
    throw error;
  }
  const { http, mqtt, page } = agent.ports();
  log.info("The agent has started.", { version: VERSION, page_port: page, http_port: http, mqtt_port: mqtt });
  const signal = await new Promise<string>((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"]) process.once(name, resolve);
  });
  log.info("The agent stops.", { signal });
  for (const name of ["SIGTERM", "SIGINT"]) process.once(name, () => process.exit(1));
  await agent.stop();
  return 0;
};
