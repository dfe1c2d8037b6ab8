import { mkdirSync } from "node:fs";
import { connect } from "../app.ts";
import { createPlatformClock } from "../clock/platform-clock.ts";
import { loadConfig } from "../config/load.ts";
import { enrol as enrolAgent } from "../enrolment/agents-api.ts";
import { findCredentials } from "../enrolment/credentials.ts";
import { createEnrolmentFile } from "../enrolment/enrolment-file.ts";
import type { Command } from "./command.ts";

/** Exchanges a token of the platform for the secrets of this agent and its readers. */
export const enrol =
  (token: string): Command =>
  async ({ env, file, print }) => {
    const config = loadConfig(file, env);
    mkdirSync(config.data, { recursive: true, mode: 0o700 });
    // A wrong key is found before the token is used up.
    const stored = createEnrolmentFile(config.data, env.AGENT_KEY);
    const client = connect(config, createPlatformClock());
    try {
      const enrolment = await enrolAgent(client, token);
      stored.write(enrolment);
      print(
        `Enrolled as ${enrolment.agent.name} (${enrolment.agent.id}) with ${enrolment.readers.length} readers.`,
      );
      const missing = config.readers.filter((reader) => findCredentials(reader, enrolment) === undefined);
      for (const { name } of missing) print(`Reader ${name}: the platform gave this agent no such reader.`);
      return missing.length === 0 ? 0 : 1;
    } finally {
      await client.close();
    }
  };
