import { createSocket } from "node:dgram";
import DNS from "dns2";

export type NameServer = {
  /** "127.0.0.1:53535" */
  address: string;
  /** The TXT records of each name. */
  records: Map<string, string[]>;
  /** Answers SERVFAIL while it is set. */
  fails: boolean;
  stop(): Promise<void>;
};

const NXDOMAIN = 3;
const SERVFAIL = 2;

/** A name server of its own, for TXT records. */
export async function startNameServer(): Promise<NameServer> {
  const records = new Map<string, string[]>();
  const state = { fails: false };
  const server = DNS.createServer({
    udp: true,
    handle(request, send) {
      const response = DNS.Packet.createResponseFromRequest(request);
      const [question] = request.questions;
      const found = records.get(question?.name.toLowerCase() ?? "");
      if (state.fails) response.header.rcode = SERVFAIL;
      else if (found === undefined) response.header.rcode = NXDOMAIN;
      for (const data of found ?? [])
        response.answers.push(
          new DNS.Packet.Resource({
            ...{ name: question?.name ?? "", type: DNS.Packet.TYPE.TXT, class: DNS.Packet.CLASS.IN, ttl: 1 },
            data,
          }),
        );
      send(response);
    },
  });
  const port = await freeUdpPort();
  await server.listen({ udp: { port, address: "127.0.0.1" } });
  return {
    ...{ address: `127.0.0.1:${port}`, records },
    get fails() {
      return state.fails;
    },
    set fails(fails) {
      state.fails = fails;
    },
    async stop() {
      await server.close();
    },
  };
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}
