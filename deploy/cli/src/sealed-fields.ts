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

const declarationFile = (service: string): string => path.join(SERVICES, service, "src/sealed.ts");

/** The services that have sealed secrets, listed in their `src/sealed.ts`. */
export function servicesWithSecrets(): string[] {
  return readdirSync(SERVICES).filter((service) => existsSync(declarationFile(service)));
}

/**
 * The fields in which a service keeps sealed secrets.
 * @throws CliError if the service does not exist or keeps no secrets
 */
export async function sealedFieldsOf(service: string): Promise<SealedField[]> {
  const services = servicesWithSecrets();
  if (!services.includes(service)) {
    throw new CliError(
      `No service "${service}" keeps secrets. Services with secrets: ${services.join(", ")}.`,
    );
  }
  return moduleSchema.parse(await import(pathToFileURL(declarationFile(service)).href)).sealed;
}
