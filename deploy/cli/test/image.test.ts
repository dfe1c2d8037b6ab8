import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const CLI = path.resolve(import.meta.dirname, "..");
const SERVICES = path.resolve(CLI, "../../services");

/** Imports that remain at run time: not `import type`. */
const IMPORT = /^(?:import|export) (?!type )[^;]*?from "([^"]+)";|\bimport\("([^"]+)"\)/gm;

// The image has the code of the services, but only the packages of the command line (deploy/Dockerfile).
test("each package that the command line imports, by the files of services too, is a dependency of it", () => {
  const folders = readdirSync(SERVICES).map((service) => path.join(SERVICES, service, "src"));
  const loaded = folders.flatMap((folder) =>
    ["republish.ts", "sealed.ts"].map((file) => path.join(folder, file)),
  );
  const waiting = [path.join(CLI, "src/main.ts"), ...loaded.filter((file) => existsSync(file))];
  const seen = new Set<string>();
  const packages = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, fixed, dynamic] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const name = fixed ?? dynamic ?? "";
      if (name.startsWith(".")) waiting.push(path.resolve(path.dirname(file), name));
      else if (!name.startsWith("node:")) packages.add(packageOf(name));
    }
  }
  const { dependencies } = JSON.parse(readFileSync(path.join(CLI, "package.json"), "utf8"));
  expect([...packages].filter((name) => !(name in dependencies)).sort()).toEqual([]);
  expect(seen.size).toBeGreaterThan(50);
});

const packageOf = (name: string): string => name.split("/", name.startsWith("@") ? 2 : 1).join("/");
