import { sleep } from "./backoff.ts";

/** Whether the work ends within this time. The work continues if not. Its failure counts as its end. */
export async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const limit = new AbortController();
  const late = sleep(ms, limit.signal).then(
    () => false,
    () => true,
  );
  const ended = work.then(
    () => true,
    () => true,
  );
  const inTime = await Promise.race([ended, late]);
  limit.abort();
  return inTime;
}
