import type { DemoAccess } from "./demo-access.ts";
import { LocalError } from "./errors.ts";
import type { Progress } from "./types.ts";
import { waitFor } from "./wait.ts";

export type DemoGateway = {
  /** Whether the gateway still accepts these credentials of an earlier start. */
  accepts(access: DemoAccess): Promise<boolean>;
  /**
   * Waits until the API key and the sign-in work.
   * @throws LocalError after 60 s
   */
  awaitAccess(access: DemoAccess): Promise<void>;
};

/** The calls that the demo makes to the gateway, as a user would. */
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
      what: "demo: waiting until the gateway accepts the demo credentials",
      attempt,
      timeoutMs: 60_000,
      progress,
      timedOut: (cause) =>
        new LocalError(
          `The demo workspaces can't be used: ${cause instanceof Error ? cause.message : cause}.`,
          "See the logs of gateway and identity.",
          { cause },
        ),
    });
  return {
    async accepts(access) {
      let accepted = false;
      await wait(async () => {
        const code = await me(access);
        if (code >= 500 || code === 429) throw new Error(`GET /v1/me returns ${code}`);
        accepted = code === 200;
      });
      return accepted;
    },
    awaitAccess: (access) =>
      wait(async () => {
        const statuses = { "GET /v1/me": await me(access), "POST /login": await signIn(access) };
        for (const [call, code] of Object.entries(statuses))
          if (code !== 200) throw new Error(`${call} returns ${code}`);
      }),
  };
}

async function status(url: string, init: RequestInit): Promise<number> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
  await response.body?.cancel();
  return response.status;
}
