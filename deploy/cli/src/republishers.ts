import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Republish } from "@asset-register/events";
import { CliError } from "./output.ts";

const SERVICES = path.resolve(import.meta.dirname, "../../../services");

/**
 * Finds the service whose `src/republish.ts` reads the records of a topic.
 * @throws CliError if no service does
 */
export async function findRepublisher(
  topic: string,
  folder = SERVICES,
): Promise<{ service: string; republish: Republish }> {
  for (const service of readdirSync(folder)) {
    const file = path.join(folder, service, "src/republish.ts");
    if (!existsSync(file)) continue;
    const module: unknown = await import(pathToFileURL(file).href);
    const republish = isModule(module) ? module.republish[topic] : undefined;
    if (republish !== undefined) return { service, republish };
  }
  throw new CliError(`No service can republish ${topic}: it is in no src/republish.ts.`);
}

function isModule(module: unknown): module is { republish: Record<string, Republish | undefined> } {
  return (
    typeof module === "object" &&
    module !== null &&
    "republish" in module &&
    typeof module.republish === "object" &&
    module.republish !== null
  );
}
