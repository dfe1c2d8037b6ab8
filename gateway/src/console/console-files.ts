import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A file of the console, with its compressed forms if the build has made them. */
export type ConsoleFile = { type: string; etag: string; body: Buffer; br?: Buffer; gzip?: Buffer };

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

const isCompressed = (name: string): boolean => /\.(br|gz)$/.test(name);

/**
 * Reads the folder that the build of the console has made, by path below it: "files/index-1a2b.js". Requests read no
 * disk.
 *
 * @throws Error if there is no index.html, or a file has an unknown extension
 */
export function readConsole(folder: string): ReadonlyMap<string, ConsoleFile> {
  if (!existsSync(path.join(folder, "index.html")))
    throw new Error(`CONSOLE_DIR: ${folder} has no index.html. Run "npm run build -w apps/console".`);
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isCompressed(entry.name))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return new Map(names.map((name) => [name.split(path.sep).join("/"), readFile(path.join(folder, name))]));
}

function readFile(file: string): ConsoleFile {
  const type = TYPES[path.extname(file)];
  if (type === undefined) throw new Error(`CONSOLE_DIR: the type of ${file} is unknown`);
  const body = readFileSync(file);
  const form = (extension: string) =>
    existsSync(file + extension) ? readFileSync(file + extension) : undefined;
  const [br, gzip] = [form(".br"), form(".gz")];
  return {
    ...{ type, body, etag: `W/"${hash("sha1", body, "base64url")}"` },
    ...(br && { br }),
    ...(gzip && { gzip }),
  };
}
