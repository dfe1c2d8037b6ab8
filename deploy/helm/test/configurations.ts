import { readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { ROOT } from "./chart.ts";

const moduleSchema = z.object({ configSchema: z.instanceof(z.ZodType) });

export type Configuration = { schema: z.ZodType; shape: Readonly<Record<string, z.ZodType>> };

/** The schema of the settings of each component, from the code: every folder of services/, and the gateway. */
export async function loadConfigurations(): Promise<Map<string, Configuration>> {
  const services = readdirSync(path.join(ROOT, "services"));
  const folders = new Map([
    ["gateway", "gateway"],
    ...services.map((name) => [name, `services/${name}`] as const),
  ]);
  const found = new Map<string, Configuration>();
  for (const [name, folder] of folders) {
    const module: unknown = await import(pathToFileURL(path.join(ROOT, folder, "src/config.ts")).href);
    const { configSchema: schema } = moduleSchema.parse(module);
    found.set(name, { schema, shape: shapeOf(schema) });
  }
  return found;
}

/** The fields of a schema, also of one whose result is changed afterwards. */
function shapeOf(schema: z.core.$ZodType): Configuration["shape"] {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in);
  throw new Error("The settings are not an object.");
}
