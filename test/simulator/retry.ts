import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "@asset-register/harness/client";

/** On a busy machine calls between services can time out. */
const BUSY_MS = 1_000;
const ATTEMPTS = 30;

/** Repeats a request that gets 503, or 429 after the time that it names. */
export async function retryUnavailable(request: () => Promise<Answer>): Promise<Answer> {
  for (let retriesLeft = ATTEMPTS; ; retriesLeft -= 1) {
    const response = await request();
    if ((response.status !== 503 && response.status !== 429) || retriesLeft === 0) return response;
    const seconds = Number(response.headers.get("retry-after"));
    await sleep(response.status === 429 && seconds > 0 ? seconds * 1000 : BUSY_MS);
  }
}
