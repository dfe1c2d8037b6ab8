import { type Demo, type DemoOptions, seedDemo } from "./demo.ts";
import { fillDemo } from "./demo-data/fill-demo.ts";
import { demoFileOf } from "./platform.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

/**
 * Creates the demo workspaces and fills the first one, or finds those of an earlier start, and writes demo.json.
 * @throws LocalError if identity or the gateway fail
 */
export async function openDemo(options: Omit<DemoOptions, "fill" | "tag">): Promise<Demo> {
  const { gatewayUrl, dataDirectory, progress } = options;
  const demo = await seedDemo({ ...options, fill: (seeded) => fillDemo(gatewayUrl, seeded, progress) });
  writeFileAtomically(demoFileOf(dataDirectory), `${JSON.stringify(demo, null, 2)}\n`);
  return demo;
}
