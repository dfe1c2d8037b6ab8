import http2, { type ClientHttp2Session } from "node:http2";

const NO_PAYLOAD = Buffer.alloc(8);

/**
 * A server that stops, or whose connection has reached its age, announces that it takes no further calls, and lets the
 * running ones end. Node sends no ping on such a connection, which grpc-js takes for a lost one: the next keepalive ping
 * then ends all calls, for example an export that takes a minute (https://github.com/grpc/grpc-node/issues/3068). So these
 * pings count as answered, and the calls of a process that freezes then end at their deadlines. grpc-js opens its connections with `connect` of this module.
 */
export function keepDrainingSessions(): void {
  const connect = http2.connect as (...args: unknown[]) => ClientHttp2Session;
  Object.assign(http2, { connect: (...args: unknown[]) => withAnsweredPings(connect(...args)) });
}

type Answered = (error: null, duration: number, payload: Buffer) => void;

function withAnsweredPings(session: ClientHttp2Session): ClientHttp2Session {
  const ping = session.ping as (...args: unknown[]) => boolean;
  return Object.assign(session, {
    ping(...args: unknown[]): boolean {
      if (!session.closed || session.destroyed) return ping.apply(session, args);
      const answered = args.at(-1) as Answered;
      setImmediate(() => answered(null, 0, NO_PAYLOAD));
      return true;
    },
  });
}
