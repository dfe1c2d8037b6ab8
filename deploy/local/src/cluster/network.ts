import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { LocalError } from "../errors.ts";
import { createFlow, type Disturbance, type Flow, UNDISTURBED } from "./flow.ts";
import { ownerOf } from "./socket-owner.ts";

/**
 * A fault between two members: `from` has opened the connection, `to` is behind the proxy. Without `from` it applies to all
 * callers. `direction`: which bytes it stops or slows, seen from `from`; default: both.
 */
export type NetworkFault = {
  from?: string;
  to: string;
  direction?: "out" | "in";
} & ({ cut: true } | { delayMs: number });

/** Proxies in front of the members of a cluster, which can cut or slow the connections of one pair. */
export type Network = {
  /**
   * Opens a proxy on `port` in front of a member.
   * @throws Error if the port is taken
   */
  open(member: string, port: number, targetPort: number): Promise<void>;
  /**
   * Begins a fault. It applies to the open connections and to later ones, until the returned function is called.
   * @throws LocalError if no proxy is in front of the member
   */
  disturb(fault: NetworkFault): () => void;
  close(): Promise<void>;
};

type Link = {
  to: string;
  /** The caller's name, when a fault has asked for it. Undefined: not known yet; "": none of the members. */
  from: string | undefined;
  caller: { fromPort: number; toPort: number };
  out: Flow;
  in: Flow;
  client: Socket;
};

/**
 * Creates the network of a cluster. `members` names the process of each member at this moment: the owner of the source port
 * says who calls.
 */
export function createNetwork(members: () => ReadonlyMap<number, string>): Network {
  const servers: Server[] = [];
  const exposed = new Set<string>();
  const links = new Set<Link>();
  const faults = new Set<NetworkFault>();

  /** Found only while a fault needs it, because it reads the open files of all members. */
  const callerOf = (link: Link): string => {
    const known = members();
    link.from ??= known.get(ownerOf(link.caller, known.keys()) ?? 0) ?? "";
    return link.from;
  };
  const applies = ({ from, to }: NetworkFault, link: Link): boolean =>
    link.to === to && (from === undefined || callerOf(link) === from);
  const apply = (link: Link): void => {
    const own = [...faults].filter((fault) => applies(fault, link));
    link.out.disturb(combine(own.filter(({ direction }) => direction !== "in")));
    link.in.disturb(combine(own.filter(({ direction }) => direction !== "out")));
  };
  const applyTo = (member: string): void => {
    for (const link of links) if (link.to === member) apply(link);
  };

  const accept = (to: string, port: number, targetPort: number) => (client: Socket) => {
    const target = connect({ port: targetPort, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    const link: Link = {
      ...{ to, from: undefined, client },
      caller: { fromPort: client.remotePort ?? 0, toPort: port },
      out: createFlow(client, target),
      in: createFlow(target, client),
    };
    links.add(link);
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => {
        links.delete(link);
        other.destroySoon();
      });
    }
    apply(link);
  };

  return {
    async open(member, port, targetPort) {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, accept(member, port, targetPort));
      servers.push(server);
      exposed.add(member);
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    disturb(fault) {
      if (!exposed.has(fault.to))
        throw new LocalError(`No proxy is in front of ${fault.to}.`, "Kill or freeze it instead.");
      faults.add(fault);
      applyTo(fault.to);
      return () => {
        faults.delete(fault);
        applyTo(fault.to);
      };
    },
    async close() {
      for (const { client } of links) client.destroy();
      await Promise.all(servers.map((server) => server.close() && once(server, "close")));
    },
  };
}

function combine(faults: NetworkFault[]): Disturbance {
  if (faults.length === 0) return UNDISTURBED;
  const delays = faults.map((fault) => ("delayMs" in fault ? fault.delayMs : 0));
  return { stalled: faults.some((fault) => "cut" in fault), delayMs: Math.max(...delays) };
}
