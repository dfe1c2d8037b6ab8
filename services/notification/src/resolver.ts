import { Resolver } from "node:dns/promises";

/** All addresses of a name; rejects when it has none or they can't be learnt. */
export type Resolve = (hostname: string) => Promise<string[]>;

const TIMEOUT_MS = 2000;

/**
 * Asks the name servers for A and AAAA, once each. Not dns.lookup: its calls
 * share four threads with all file access of the process, so that four slow
 * names would stop everything. Those who ask for the same name at the same
 * time share the answer: at most two questions are under way for an endpoint.
 */
export function createResolver(): Resolve {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  const asked = new Map<string, Promise<string[]>>();

  async function ask(hostname: string): Promise<string[]> {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length === 0)
      throw new Error(`${hostname} does not resolve`, { cause: failureOf(answers) });
    return addresses;
  }

  return (hostname) => {
    const known = asked.get(hostname);
    if (known !== undefined) return known;
    const answer = ask(hostname).finally(() => asked.delete(hostname));
    asked.set(hostname, answer);
    return answer;
  };
}

function failureOf(answers: PromiseSettledResult<string[]>[]): unknown {
  return answers.find((answer) => answer.status === "rejected")?.reason;
}
