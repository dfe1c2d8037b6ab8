import { Resolver } from "node:dns/promises";

/** All addresses of a name. Rejects when it has none, or when they can't be resolved. */
export type Resolve = (hostname: string) => Promise<string[]>;

const TIMEOUT_MS = 2000;

/**
 * Asks the name servers for A and AAAA, once each. It does not use dns.lookup, whose calls share four threads with all
 * file access of the process: four slow names would stop everything. Concurrent calls for one name share the answer, so
 * at most two questions are under way for an endpoint. `servers` replace the name servers of the system.
 */
export function createResolver(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  if (servers) resolver.setServers(servers);
  const underWay = new Map<string, Promise<string[]>>();

  async function ask(hostname: string): Promise<string[]> {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const failure = answers.find((answer) => answer.status === "rejected");
    throw new Error(`${hostname} does not resolve`, { cause: failure?.reason });
  }

  return (hostname) => {
    const known = underWay.get(hostname);
    if (known) return known;
    const answer = ask(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, answer);
    return answer;
  };
}
