/**
 * Makes the package that sites install: one file without dependencies, because Node removes no types from files under
 * node_modules.
 *
 *   npm run build -w apps/edge-agent && npm pack ./apps/edge-agent/dist
 */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";

const ROOT = import.meta.dirname;
/** Another folder is for tests. */
const TARGET = process.argv[2] ?? path.join(ROOT, "dist");

const { name, version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
const bundle = await rolldown({ input: path.join(ROOT, "src/main.ts"), platform: "node" });
await bundle.write({ file: path.join(TARGET, "agent.js"), format: "esm", codeSplitting: false });
await bundle.close();
mkdirSync(path.join(TARGET, "docs"), { recursive: true });
chmodSync(path.join(TARGET, "agent.js"), 0o755);
for (const file of ["README.md", "agent.example.yaml", "docs/connect.md"])
  copyFileSync(path.join(ROOT, file), path.join(TARGET, file));
const manifest = {
  name,
  version,
  type: "module",
  bin: { "edge-agent": "agent.js" },
  engines: { node: ">=24" },
};
writeFileSync(path.join(TARGET, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
