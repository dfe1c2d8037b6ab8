import { clientNetworks, exhausted, type Metrics, unavailable } from "@asset-register/runtime";
import { OVERLOADED } from "./load.ts";
import { createShares, type Share } from "./shares.ts";

/** A request whose body is on its way. */
export type WaitingBody = {
  address: string;
  readerId?: string | undefined;
  /** The bytes that its connection has received. Undefined while the gateway itself does not read. */
  received(): number | undefined;
  /** Ends the request, because another one needs its place. */
  end(): void;
};

/** Bounds the requests whose bodies are still on their way: their clients may never send the rest. */
export type WaitingBodies = {
  /**
   * Counts a request until the returned function is called. If all places or those of its network or reader are used,
   * the one of them that has sent nothing for the longest time is ended, if that is a second or more.
   *
   * @throws AppError RATE_LIMITED when the share of its network or reader is used up, UNAVAILABLE when all are
   */
  begin(body: WaitingBody): () => void;
};

/** `now` reads a monotonic clock, in ms. */
export type WaitingBodiesOptions = {
  max: number;
  maxPerNetwork: number;
  metrics: Metrics;
  now?: () => number;
};

/** Readers post one request after the other. The share is for each network, so that no other network can use it up. */
const MAX_PER_READER = 8;
/** A body of a route without a credential must arrive in 5 s, most others arrive at once. */
const RETRY_AFTER_MS = 1_000;
/** A client that sends less than so much in this time counts as silent. Most bodies are smaller, and arrive at once. */
const PROGRESS_BYTES = 1_024;
const SILENT_AFTER_MS = 1_000;

/** A place in use. `bytes` had been received when it last made progress. */
type Place = { body: WaitingBody; keys: string[]; bytes: number; progressAt: number; release(): void };

export function createWaitingBodies(options: WaitingBodiesOptions): WaitingBodies {
  const { max, maxPerNetwork, metrics, now = () => performance.now() } = options;
  const shares = createShares();
  const places = new Set<Place>();
  metrics.gauge({
    name: "http_server_waiting_bodies",
    help: "Requests whose body has not arrived",
    collect() {
      this.set(places.size);
    },
  });
  const refused = metrics.counter({
    name: "http_server_refused_bodies_total",
    help: "Requests whose body was not read, by the limit that was used up: all, or the share of a network or reader",
    labelNames: ["limit"],
  });
  const ended = metrics.counter({
    name: "http_server_silent_bodies_total",
    help: "Requests that were ended because they sent nothing while another one needed their place",
  });

  const sharesOf = ({ address, readerId }: WaitingBody): Share[] => {
    const networks = clientNetworks(address).map(({ network, clients }) => ({
      key: network,
      max: maxPerNetwork * clients,
    }));
    const reader = readerId === undefined ? [] : [{ key: `${readerId} ${address}`, max: MAX_PER_READER }];
    return [...networks, ...reader];
  };

  /** Progress is looked for only when a place is needed: counting each chunk would cost every request. */
  function noteProgress(place: Place, at: number): void {
    const bytes = place.body.received();
    if (bytes !== undefined && bytes - place.bytes < PROGRESS_BYTES) return;
    place.bytes = bytes ?? place.bytes;
    place.progressAt = at;
  }

  /** Ends the request that has been silent for the longest time, of those with this share. False if none is silent. */
  function makeRoom(key?: string): boolean {
    const at = now();
    let silent: Place | undefined;
    for (const place of places) {
      if (key !== undefined && !place.keys.includes(key)) continue;
      noteProgress(place, at);
      if (silent === undefined || place.progressAt < silent.progressAt) silent = place;
    }
    if (silent === undefined || at - silent.progressAt < SILENT_AFTER_MS) return false;
    silent.release();
    silent.body.end();
    ended.inc();
    return true;
  }

  return {
    begin(body) {
      const wanted = sharesOf(body);
      // The own shares come first: a network that is refused must not end requests of others.
      for (let used = shares.usedUp(wanted); used !== undefined; used = shares.usedUp(wanted)) {
        if (makeRoom(used.key)) continue;
        refused.inc({ limit: "share" });
        throw exhausted(TOO_MANY, RETRY_AFTER_MS);
      }
      if (places.size >= max && !makeRoom()) {
        refused.inc({ limit: "all" });
        throw unavailable(OVERLOADED, RETRY_AFTER_MS);
      }
      const releaseShares = shares.take(wanted);
      const place: Place = {
        ...{ body, keys: wanted.map(({ key }) => key), bytes: body.received() ?? 0, progressAt: now() },
        release() {
          if (places.delete(place)) releaseShares?.();
        },
      };
      places.add(place);
      return place.release;
    },
  };
}

const TOO_MANY =
  "Too many requests of this client are still being sent. Retry after the time in the Retry-After header.";
