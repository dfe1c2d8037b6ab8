import { EventEmitter, once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { bytes, framesOf, NAMES, param, utc, words } from "./llrp-bytes.ts";

export type SimulatedTag = {
  /** Hex; 96 bits are sent as EPC-96, others as EPCData. */
  epc: string;
  antenna?: number;
  rssi?: number;
  at?: number;
  count?: number;
};

export type LlrpReader = {
  port: number;
  /** The names of the messages that it has got, in their order. */
  received: string[];
  /** Reports these tags if its inventory runs; holds them while no client listens. */
  read(tags: readonly SimulatedTag[]): void;
  isConnected(): boolean;
  keepalive(): void;
  /** Sends bytes as they are. */
  sendBytes(hex: string): void;
  /** Ends the connection without a word, as a pulled cable does after its time-out. */
  disconnect(): void;
  /** Resolves when the condition holds. It is looked at after each message and connection. */
  until(condition: () => boolean): Promise<void>;
  stop(): Promise<void>;
};

/** EventsAndReports with its only bit set. */
const HOLD = Buffer.from("00e2000580", "hex");

type RoSpecState = "none" | "disabled" | "inactive" | "active";

/** Antennas, flags (it has a clock), manufacturer, model, firmware. */
const ABOUT = param(137, words(4, 0x4000), words(0, 9999, 0, 42), words(5), Buffer.from("1.2.3"));
/** Flags (it warns of a full buffer, and holds reports), priorities, time-out, numbers of specs. */
const LLRP = param(142, Buffer.of(0x48, 1), words(0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0));
const LLRP_WITHOUT_HOLDING = param(142, Buffer.of(0, 1), words(0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0));
const HELD_TAGS = 1_000;

/**
 * A reader that speaks LLRP over TCP, for tests and the simulator. It is written from the specification and shares no
 * code with the agent. `refuse` names messages that it answers with an error; `canHold` is false for one that does not hold
 * reports, and refuses to be asked for it. `tls` is its certificate, if it speaks TLS.
 */
export async function startLlrpReader({
  port = 0,
  refuse = [] as string[],
  canHold = true,
  tls = undefined as { cert: string; key: string } | undefined,
} = {}): Promise<LlrpReader> {
  const changes = new EventEmitter();
  const received: string[] = [];
  let client: Socket | undefined;
  let roSpec: RoSpecState = "none";
  /** After a connection has ended, reports wait for ENABLE_EVENTS_AND_REPORTS if SET_READER_CONFIG said so. */
  let holds = false;
  let listens = true;
  let held: SimulatedTag[] = [];
  let lastId = 0;

  const nextId = (): number => {
    lastId += 1;
    return lastId;
  };
  const send = (type: number, id: number, body: Buffer): void => {
    client?.write(bytes(type, id, body));
  };
  const leave = (): void => {
    client = undefined;
    listens = !holds;
    changes.emit("change");
  };
  const report = (tags: readonly SimulatedTag[]): void => {
    if (client === undefined || !listens) {
      held = [...held, ...tags].slice(-HELD_TAGS);
      return;
    }
    if (tags.length > 0) send(61, nextId(), Buffer.concat(tags.map(tagReport)));
  };

  /** Each ROSpec message needs the state before it, and gives the one after it. */
  const steps: Record<string, { from: RoSpecState[]; to: RoSpecState }> = {
    DELETE_ROSPEC: { from: ["none", "disabled", "inactive", "active"], to: "none" },
    ADD_ROSPEC: { from: ["none"], to: "disabled" },
    ENABLE_ROSPEC: { from: ["disabled"], to: "inactive" },
    START_ROSPEC: { from: ["inactive"], to: "active" },
  };

  function answer(name: string, type: number, id: number): void {
    const step = steps[name];
    const canDo = !refuse.includes(name) && (canHold || !holds);
    const allowed = canDo && (step === undefined || step.from.includes(roSpec));
    if (allowed && step !== undefined) roSpec = step.to;
    const status = allowed ? param(287, words(0, 0)) : param(287, words(101, 3), Buffer.from("bad"));
    const about = [ABOUT, canHold ? LLRP : LLRP_WITHOUT_HOLDING];
    const rest = name === "GET_READER_CAPABILITIES" ? about : [];
    send(type === 14 ? 4 : type + 10, id, Buffer.concat([status, ...rest]));
  }

  function handle(type: number, id: number, body: Buffer): void {
    const name = NAMES[type] ?? `message ${type}`;
    received.push(name);
    if (name === "KEEPALIVE_ACK") return;
    if (name === "ENABLE_EVENTS_AND_REPORTS") {
      listens = true;
      report(held.splice(0));
      return;
    }
    if (name === "SET_READER_CONFIG") holds = body.includes(HOLD);
    answer(name, type, id);
    if (name === "CLOSE_CONNECTION") client?.end();
  }

  const serve = (socket: Socket): void => {
    const isFree = client === undefined;
    const greeting = param(246, utc(Date.now()), param(256, words(isFree ? 0 : 2)));
    if (!isFree) {
      socket.end(bytes(63, 0, greeting));
      return;
    }
    client = socket;
    socket.setNoDelay(true);
    send(63, 0, greeting);
    const push = framesOf((type, id, body) => {
      handle(type, id, body);
      changes.emit("change");
    });
    socket.on("data", push).on("error", () => undefined);
    socket.on("close", () => {
      if (client === socket) leave();
    });
    changes.emit("change");
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The reader has no port.");

  return {
    port: address.port,
    received,
    read: (tags) => {
      if (roSpec === "active") report(tags);
    },
    isConnected: () => client !== undefined,
    keepalive: () => send(62, nextId(), Buffer.alloc(0)),
    sendBytes: (hex) => void client?.write(Buffer.from(hex, "hex")),
    disconnect: () => {
      client?.destroy();
      leave();
    },
    until: async (condition) => {
      while (!condition()) await once(changes, "change");
    },
    stop: async () => {
      client?.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** TagReportData with EPC-96 or EPCData, AntennaID, PeakRSSI, LastSeenTimestampUTC and TagSeenCount. */
function tagReport({ epc, antenna = 1, rssi = -55, at = Date.now(), count = 1 }: SimulatedTag): Buffer {
  const digits = Buffer.from(epc, "hex");
  const id =
    digits.length === 12
      ? Buffer.concat([Buffer.of(0x8d), digits])
      : param(241, words(digits.length * 8), digits);
  const seen = Buffer.alloc(9);
  seen[0] = 0x84;
  seen.writeBigUInt64BE(BigInt(at) * 1000n, 1);
  const rest = Buffer.of(
    0x81,
    antenna >> 8,
    antenna & 0xff,
    0x86,
    rssi & 0xff,
    0x88,
    count >> 8,
    count & 0xff,
  );
  return param(240, id, seen, rest);
}
