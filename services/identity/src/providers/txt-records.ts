import { Resolver } from "node:dns/promises";
import { unavailable } from "@asset-register/runtime";

/**
 * The TXT records of a name. Empty if it has none.
 * @throws AppError UNAVAILABLE if the name servers do not answer: then nothing is known
 */
export type LookUpTxt = (name: string) => Promise<string[]>;

const NONE = new Set(["ENOTFOUND", "ENODATA"]);

/** `servers` replace the name servers of the system. */
export function createTxtLookUp(servers?: readonly string[]): LookUpTxt {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (name) => {
    try {
      // A long text comes in pieces of 255 bytes.
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(""));
    } catch (error) {
      if (error instanceof Error && "code" in error && NONE.has(String(error.code))) return [];
      throw unavailable("The name servers of the domain do not answer. Retry later.", undefined, error);
    }
  };
}
