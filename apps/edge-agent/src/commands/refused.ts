import { existsSync } from "node:fs";
import { bufferFile, openBufferOf } from "../app.ts";
import { createPlatformClock } from "../clock/platform-clock.ts";
import { loadConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { readControlToken } from "../control/control-token.ts";
import {
  handleRefused,
  type RefusedAnswer,
  type RefusedRequest,
  refusedAnswer,
} from "../control/refused-request.ts";
import type { Command } from "./command.ts";
import { requestPage } from "./page-request.ts";

/** Shows, sends again or forgets events that the platform refused, whether the agent runs or not. */
export const refused =
  (request: RefusedRequest, asJson: boolean): Command =>
  async ({ env, file, print }) => {
    const config = loadConfig(file, env);
    const answer = (await askAgent(config, request)) ?? (await useBuffer(config, request));
    if (asJson) print(JSON.stringify(answer));
    else for (const line of linesOf(request, answer)) print(line);
    return 0;
  };

/** Undefined if the agent of this folder does not run. */
async function askAgent(config: Config, request: RefusedRequest): Promise<RefusedAnswer | undefined> {
  const token = readControlToken(config.data);
  if (token === undefined) return undefined;
  const response = await requestPage(config.page, "/refused", {
    ...{ method: "POST", body: JSON.stringify(request) },
    headers: { authorization: `Bearer ${token}` },
  });
  // Another agent has another token.
  if (response === undefined || response.status === 401) return undefined;
  if (response.status !== 200) throw new Error((await response.text()).trimEnd());
  return refusedAnswer.parse(await response.json());
}

async function useBuffer(config: Config, request: RefusedRequest): Promise<RefusedAnswer> {
  if (!existsSync(bufferFile(config))) throw new Error(`There is no ${bufferFile(config)}.`);
  const buffer = openBufferOf(config, createPlatformClock());
  try {
    return await handleRefused(buffer, request);
  } finally {
    buffer.close();
  }
}

function linesOf({ action }: RefusedRequest, { count, events = [] }: RefusedAnswer): string[] {
  if (action === "retry") return [`${count} events will be sent again.`];
  if (action === "drop") return [`${count} events are dropped.`];
  if (count === 0) return ["No refused events."];
  return events.map(({ at, reader, code, event }) => `${at} ${reader} ${code} ${event}`);
}
