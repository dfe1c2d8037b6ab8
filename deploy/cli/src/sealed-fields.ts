import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { SealedField } from "@asset-register/mongo";
import { z } from "zod";
import { CliError } from "./output.ts";

const SERVICES = path.resolve(import.meta.dirname, "../../../services");

const moduleSchema = z.object({
  sealed: z.array(
    z.object({ collection: z.string(), path: z.string(), boundTo: z.literal("database").exactOptional() }),
  ),
});

const declaration = (service: string): string => path.join(SERVICES, service, "src/sealed.ts");

/** The services that say in `src/sealed.ts` where they keep sealed secrets. */
export function sealingServices(): string[] {
  return readdirSync(SERVICES).filter((service) => existsSync(declaration(service)));
}

/** Where a service keeps sealed secrets. Throws CliError when there is no such service. */
export async function sealedFieldsOf(service: string): Promise<SealedField[]> {
  const services = sealingServices();
  if (!services.includes(service)) {
    throw new CliError(`No service "${service}" keeps secrets; these do: ${services.join(", ")}.`);
  }
  return moduleSchema.parse(await import(pathToFileURL(declaration(service)).href)).sealed;
}
