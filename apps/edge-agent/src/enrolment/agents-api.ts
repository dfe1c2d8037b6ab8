import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { PlatformClock } from "../clock/platform-clock.ts";
import type { Answer, PlatformClient } from "../upload/platform-client.ts";
import { sign } from "../upload/sign.ts";
import { type Enrolment, enrolmentSchema } from "./enrolment.ts";

/** The platform did not do what the agent asked for. */
export class AgentApiError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "AgentApiError";
    this.code = code;
  }
}

/** What an agent reports about itself. */
export type AgentReport = { version: string; buffer: { rows: number; oldest_at: string | null } };

const ENROL_PATH = "/asset_manager_api/agents/enrol";
const SYNC_PATH = "/asset_manager_api/agents/sync";

const syncedSchema = enrolmentSchema.omit({ secret: true });
const problem = z.object({ code: z.string(), message: z.string().optional() });

/** @throws AgentApiError if the token is not valid; Error if there is no answer */
export async function enrol(client: PlatformClient, token: string): Promise<Enrolment> {
  const answer = await client.post(ENROL_PATH, {}, Buffer.from(JSON.stringify({ token })));
  return parse(answer, enrolmentSchema);
}

/**
 * Reports the agent's state, and returns its readers with their present secrets.
 * @throws AgentApiError if the signature is not valid; Error if there is no answer
 */
export async function sync(
  { client, clock }: { client: PlatformClient; clock: PlatformClock },
  { agent, secret }: Enrolment,
  report: AgentReport,
): Promise<Enrolment> {
  const body = Buffer.from(JSON.stringify(report));
  const attempt = (): Promise<Answer> => {
    const signed = {
      path: SYNC_PATH,
      id: agent.id,
      timestamp: Math.floor(clock.now() / 1000),
      nonce: randomUUID(),
    };
    const headers = {
      "x-agent-id": agent.id,
      "x-agent-timestamp": String(signed.timestamp),
      "x-agent-nonce": signed.nonce,
      "x-agent-signature": sign(secret, { ...signed, body }),
    };
    return client.post(SYNC_PATH, headers, body);
  };
  const first = await attempt();
  // The answer has shown the time of the platform, so a machine with a wrong clock succeeds now.
  const answer = first.status === 401 ? await attempt() : first;
  return { ...parse(answer, syncedSchema), secret };
}

function parse<T>({ status, body }: Answer, schema: z.ZodType<T>): T {
  const good = schema.safeParse(body);
  if (status === 200 && good.success) return good.data;
  const bad = problem.safeParse(body);
  if (bad.success) throw new AgentApiError(bad.data.code, bad.data.message ?? bad.data.code);
  throw new AgentApiError("UNEXPECTED_ANSWER", `The answer ${status} is not the platform's. Check its URL.`);
}
