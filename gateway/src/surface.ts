import type { Clients } from "./clients.ts";
import type { Config } from "./config.ts";
import type { Credentials } from "./credentials.ts";
import type { Feed } from "./feed/feed.ts";
import type { Ingest } from "./ingest.ts";
import type { CodeOf } from "./label-address.ts";
import type { Load } from "./load.ts";
import type { RateLimiter } from "./rate-limit.ts";
import type { Readers } from "./readers.ts";
import type { Refusals } from "./refusals.ts";
import type { WaitingBodies } from "./waiting-bodies.ts";

/** The dependencies of the routes on both surfaces. */
export type Surface = {
  clients: Clients;
  /** The code in the address of a label. */
  codeOf: CodeOf;
  config: Config;
  credentials: Credentials;
  feed: Feed;
  ingest: Ingest;
  limiter: RateLimiter;
  load: Load;
  readers: Readers;
  refusals: Refusals;
  waitingBodies: WaitingBodies;
};
