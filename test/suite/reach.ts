import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** Folders whose tests start components as processes, read their files, or try their documents. */
const STARTS_COMPONENTS = ["test", "deploy/local", "deploy/cli", "deploy/helm"];
const COMPONENT = /^(gateway|apps|services|packages|proto)\//;

type Workspace = { folder: string; name: string; uses: string[] };

/** The files that differ from a commit, also those that are not yet added. */
export function changedFiles(since: string): string[] {
  const lines = (...args: string[]) =>
    execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);
  return [
    ...lines("diff", "--name-only", since, "--"),
    ...lines("ls-files", "--others", "--exclude-standard"),
  ];
}

/** All workspaces of the repository. */
export function readWorkspaces(): Workspace[] {
  const { workspaces } = JSON.parse(readFileSync("package.json", "utf8")) as { workspaces: string[] };
  return globSync(workspaces.map((folder) => `${folder}/package.json`)).map((file) => {
    const { name, dependencies, devDependencies } = JSON.parse(readFileSync(file, "utf8"));
    return { folder: path.dirname(file), name, uses: Object.keys({ ...dependencies, ...devDependencies }) };
  });
}

/**
 * The folders whose tests a change can reach: the workspaces of the changed files, and those that depend on them.
 * Undefined if a file of no workspace has changed: everything.
 */
export function reach(files: readonly string[], workspaces: readonly Workspace[]): string[] | undefined {
  const found = new Set<Workspace>();
  const add = (workspace: Workspace): void => {
    if (found.has(workspace)) return;
    found.add(workspace);
    for (const other of workspaces) if (other.uses.includes(workspace.name)) add(other);
  };
  for (const file of files) {
    const owner = workspaces
      .filter(({ folder }) => file.startsWith(`${folder}/`))
      .toSorted((a, b) => b.folder.length - a.folder.length)[0];
    if (owner === undefined) return undefined;
    add(owner);
  }
  const folders = new Set([...found].map(({ folder }) => folder));
  if (files.some((file) => COMPONENT.test(file))) for (const folder of STARTS_COMPONENTS) folders.add(folder);
  return [...folders].sort();
}
