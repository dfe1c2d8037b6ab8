import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { LocalError } from "../errors.ts";
import { runDirectory } from "../pid-file.ts";
import type { Cluster } from "./cluster.ts";
import type { ClusterMember } from "./member.ts";

/** What can be done to a running cluster. */
export const CONTROL_USAGE = `  status                       all members
  stop | kill NAME             ends a member, in order or like a crash; \`restart\` starts it again
  freeze | thaw NAME           suspends a member: its connections stay open and get no response
  restart NAME
  cut NAME [FROM]              stops the connections to a member, of all callers or of one
  slow NAME MILLISECONDS [FROM]
  heal                         ends every \`cut\` and \`slow\``;

const ACTIONS: Record<string, (member: ClusterMember) => Promise<void>> = {
  stop: (member) => member.stop(),
  kill: (member) => member.kill(),
  freeze: (member) => member.pause(),
  thaw: (member) => member.resume(),
  restart: (member) => member.restart(),
};

export type Control = { perform(args: readonly string[]): Promise<string> };

/** Performs the commands of CONTROL_USAGE. */
export function createControl({ members, network }: Pick<Cluster, "members" | "network">): Control {
  const heals: (() => void)[] = [];
  const requireMember = (name: string | undefined): ClusterMember => {
    const member = members.get(name ?? "");
    if (member !== undefined) return member;
    throw new LocalError(
      `The cluster has no member "${name ?? ""}".`,
      `It has: ${[...members.keys()].join(", ")}.`,
    );
  };
  const disturb = (
    to: string | undefined,
    from: string | undefined,
    fault: { cut: true } | { delayMs: number },
  ) => {
    requireMember(to);
    if (from !== undefined) requireMember(from);
    heals.push(network.disturb({ to: to ?? "", ...(from !== undefined && { from }), ...fault }));
  };
  return {
    async perform([verb = "", name, ...rest]) {
      const action = ACTIONS[verb];
      if (action !== undefined) await action(requireMember(name));
      else if (verb === "cut") disturb(name, rest[0], { cut: true });
      else if (verb === "slow") disturb(name, rest[1], { delayMs: parseDelay(rest[0]) });
      else if (verb === "heal") for (const heal of heals.splice(0)) heal();
      else if (verb === "status") return statusOf(members);
      else throw new LocalError(`"${verb}" is not a command.`, `The commands are:\n${CONTROL_USAGE}`);
      return "done\n";
    },
  };
}

function parseDelay(text: string | undefined): number {
  const delay = Number(text);
  if (Number.isInteger(delay) && delay > 0) return delay;
  throw new LocalError(`"${text ?? ""}" is not a number of milliseconds.`, "Name one, for example 200.");
}

function statusOf(members: Cluster["members"]): string {
  return [...members]
    .map(([name, member]) => `${name.padEnd(24)} ${member.address.padEnd(22)} process ${member.pid()}\n`)
    .join("");
}

/** Only the owner can open the folder, and so the socket. */
const socketOf = (dataDirectory: string): string => join(runDirectory(dataDirectory), "control.sock");

/** Lets other processes of this user control the cluster. Returns a function that ends that. */
export async function serveControl(control: Control, dataDirectory: string): Promise<() => void> {
  const socket = socketOf(dataDirectory);
  rmSync(socket, { force: true });
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    try {
      const args: string[] = JSON.parse(Buffer.concat(chunks).toString());
      response.end(await control.perform(args));
    } catch (error) {
      const { message, advice } =
        error instanceof LocalError ? error : { message: String(error), advice: "" };
      response.writeHead(400).end(JSON.stringify({ message, advice }));
    }
  });
  server.listen(socket);
  await once(server, "listening");
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

/**
 * Sends a command to the cluster that runs on this data folder, and returns its output.
 * @throws LocalError if none runs, or it refuses the command
 */
export async function controlCluster(args: readonly string[], dataDirectory: string): Promise<string> {
  const sent = request({ socketPath: socketOf(dataDirectory), method: "POST" });
  sent.end(JSON.stringify(args));
  const [response] = await once(sent, "response").catch((cause: unknown) => {
    throw new LocalError(`No cluster runs on ${dataDirectory}.`, "Start one with `npm start -- --cluster`.", {
      cause,
    });
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  if (response.statusCode === 200) return text;
  const { message, advice }: { message: string; advice: string } = JSON.parse(text);
  throw new LocalError(message, advice);
}
