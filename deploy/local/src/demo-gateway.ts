import type { DemoAccess } from "./demo-access.ts";
import { LocalError } from "./errors.ts";
import type { Progress } from "./types.ts";
import { waitFor } from "./wait.ts";

export type DemoGateway = {
  /** Whether this way in, kept from an earlier start, still is one. */
  knows(access: DemoAccess): Promise<boolean>;
  /** Waits until the key and the sign-in work. */
  awaitAccess(access: DemoAccess): Promise<void>;
};

/** The platform as its users see it. */
export function demoGateway(baseUrl: string, progress: Progress): DemoGateway {
  const me = (access: DemoAccess) =>
    status(`${baseUrl}/v1/me`, { headers: { authorization: `Bearer ${access.api_key}` } });
  const signIn = ({ email, password }: DemoAccess) =>
    status(`${baseUrl}/asset_manager_api/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password, label: "npm start" }),
    });
  const wait = (attempt: () => Promise<void>) =>
    waitFor({
      what: "demo: waiting for the gateway to let the demo in",
      attempt,
      timeoutMs: 60_000,
      progress,
      timedOut: (cause) =>
        new LocalError(
          `The demo workspaces can't be used: ${cause instanceof Error ? cause.message : cause}.`,
          "Look into the logs of gateway and identity.",
          { cause },
        ),
    });
  return {
    async knows(access) {
      let known = false;
      await wait(async () => {
        const answer = await me(access);
        if (answer >= 500 || answer === 429) throw new Error(`GET /v1/me answers ${answer}`);
        known = answer === 200;
      });
      return known;
    },
    awaitAccess: (access) =>
      wait(async () => {
        const answers = { "GET /v1/me": await me(access), "POST /login": await signIn(access) };
        for (const [call, answer] of Object.entries(answers))
          if (answer !== 200) throw new Error(`${call} answers ${answer}`);
      }),
  };
}

async function status(url: string, init: RequestInit): Promise<number> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
  await answer.body?.cancel();
  return answer.status;
}
