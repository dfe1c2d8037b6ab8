import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { codeOf, LocalError } from "./errors.ts";
import { claimPort, isClaimedByThisProcess } from "./port-claims.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

// Below Linux's range for outgoing connections (from 32768). So no client connection can take a free port before
// the server binds it.
const lowest = 20_000;
const highest = 32_000;

/** Whether a server can listen on this port of 127.0.0.1 now. */
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

/**
 * Finds and claims a free port of 127.0.0.1. No other process gets it during the lifetime of this process.
 * @throws LocalError if none of 200 random ports is free
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if ((await isFree(port)) && claimPort(port)) return port;
  }
  throw new LocalError(
    `No free port was found between ${lowest} and ${highest}.`,
    "Stop programs that listen on these ports, or stop old runs with `npm run stop`.",
  );
}

/**
 * Checks that a port is free.
 * @throws LocalError that names the port, what it is for, and the setting that changes it
 */
export async function requireFree(port: number, what: string, setting: string): Promise<void> {
  if (await isFree(port)) return;
  throw new LocalError(
    `Port ${port} of 127.0.0.1, needed for ${what}, is taken by another program or not permitted.`,
    `Stop that program (\`ss -ltnp\` names it), or choose another port with ${setting}.`,
  );
}

/**
 * The port of `name` in this data folder: its earlier port if that is still free, else a new port. ports.json
 * records it.
 * @throws LocalError if there is no free port or ports.json can't be written
 */
export async function assignPort(dataDirectory: string, name: string): Promise<number> {
  const file = join(dataDirectory, "ports.json");
  const earlier = readPorts(file)[name];
  if (
    earlier !== undefined &&
    (await isFree(earlier)) &&
    (isClaimedByThisProcess(earlier) || claimPort(earlier))
  )
    return earlier;
  for (;;) {
    const port = await findFreePort();
    // No await between reading and writing the file: several servers start at the same time.
    const ports = readPorts(file);
    if (Object.values(ports).includes(port)) continue;
    writeFileAtomically(file, `${JSON.stringify({ ...ports, [name]: port }, null, 2)}\n`);
    return port;
  }
}

function readPorts(file: string): Record<string, number> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // Missing, or truncated by a full disk: new ports are chosen.
    return {};
  }
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, number] => Number.isInteger(entry[1]) && entry[1] > 0 && entry[1] < 65_536,
    ),
  );
}
