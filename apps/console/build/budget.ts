import { brotliCompressSync } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

/** The limit of the files that a browser loads before the first screen, compressed (console-web.md). */
const SHELL_KIB = 250;

const kib = (bytes: number): number => Math.round(bytes / 102.4) / 10;

/** Prints the compressed size of each chunk, and fails if the shell is above its budget. */
export function budget(): Plugin {
  return {
    name: "budget",
    apply: "build",
    generateBundle(_options, bundle) {
      const sizes = new Map(
        Object.values(bundle).flatMap((file) =>
          /\.(js|css)$/.test(file.fileName)
            ? [[file.fileName, brotliCompressSync(contentOf(file)).length]]
            : [],
        ),
      );
      const shell = shellOf(bundle);
      const rows = [...sizes]
        .toSorted(([, a], [, b]) => b - a)
        .map(([name, bytes]) => ({ file: name, KiB: kib(bytes), shell: shell.has(name) ? "yes" : "" }));
      console.table(rows);
      const total = [...shell].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
      console.log(`Shell: ${kib(total)} KiB of ${SHELL_KIB} KiB`);
      if (total > SHELL_KIB * 1_024) this.error(`The shell has ${kib(total)} KiB: above ${SHELL_KIB} KiB`);
    },
  };
}

const contentOf = (file: Rolldown.OutputAsset | Rolldown.OutputChunk): string | Uint8Array =>
  file.type === "chunk" ? file.code : file.source;

/** The entry and all that it imports statically, with their styles. */
function shellOf(bundle: Rolldown.OutputBundle): Set<string> {
  const found = new Set<string>();
  const add = (name: string): void => {
    const file = bundle[name];
    if (file?.type !== "chunk" || found.has(name)) return;
    found.add(name);
    for (const style of file.viteMetadata?.importedCss ?? []) found.add(style);
    for (const imported of file.imports) add(imported);
  };
  for (const file of Object.values(bundle)) if (file.type === "chunk" && file.isEntry) add(file.fileName);
  return found;
}
