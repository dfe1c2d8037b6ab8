import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { codeOf, LocalError } from "./errors.ts";
import { claimPort, isOurs } from "./port-claims.ts";
import { writeWhole } from "./write-whole.ts";

// Below Linux's range for outgoing connections (32768 up): a port found free
// can't be taken by some client's connection before the server binds it.
const lowest = 20_000;
const highest = 32_000;

/** Whether a server could listen on this port of 127.0.0.1 now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => {
      const code = codeOf(error);
      if (code === "EADDRINUSE" || code === "EACCES") resolve(false);
      else reject(error);
    });
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A free port of 127.0.0.1, which nobody else is given as long as this process lives. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if ((await isFree(port)) && claimPort(port)) return port;
  }
  throw new LocalError(
    `No free port was found between ${lowest} and ${highest}.`,
    "Stop programs that listen there, or end runs that were left behind with `npm run stop`.",
  );
}

/** Fails with a clear sentence when a port that was asked for is taken. */
export async function requireFree(port: number, what: string, setting: string): Promise<void> {
  if (await isFree(port)) return;
  throw new LocalError(
    `Port ${port} of 127.0.0.1, wanted for ${what}, is taken by another program or not allowed.`,
    `Stop that program (\`ss -ltnp\` names it), or choose another port with ${setting}.`,
  );
}

/**
 * The port for `name` in this data folder: the one it had before if it is still
 * free, else a new one, which is noted in ports.json.
 */
export async function keptPort(dataDirectory: string, name: string): Promise<number> {
  const file = join(dataDirectory, "ports.json");
  const before = readPorts(file)[name];
  if (before !== undefined && (await isFree(before)) && (isOurs(before) || claimPort(before))) return before;
  for (;;) {
    const port = await findFreePort();
    // Read, checked and written without a pause: servers start side by side.
    const ports = readPorts(file);
    if (Object.values(ports).includes(port)) continue;
    writeWhole(file, `${JSON.stringify({ ...ports, [name]: port }, null, 2)}\n`);
    return port;
  }
}

function readPorts(file: string): Record<string, number> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // None yet, or cut off by a full disk: ports are chosen anew.
    return {};
  }
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, number] => Number.isInteger(entry[1]) && entry[1] > 0 && entry[1] < 65_536,
    ),
  );
}
