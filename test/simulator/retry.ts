import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Api } from "@asset-register/harness/client";

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

/** A client that tries again after 503 and 429. */
export function patient({ call }: Api): Api {
  const succeed = async <T>(...request: Parameters<Api["call"]>): Promise<T> => {
    const answer = await retryUnavailable(() => call(...request));
    if (answer.status < 300) return answer.body as T;
    throw new Error(`${request[0]} ${request[1]} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
  };
  return {
    call,
    get: (path) => succeed("GET", path),
    post: (path, body, headers) => succeed("POST", path, body, headers),
  };
}
