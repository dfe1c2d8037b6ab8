import type { Outbox } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import type { Users } from "./clients.ts";
import type { Stores } from "./store/stores.ts";

/** What operations work with; `now` is given, so that rules never read a clock. */
export type Register = {
  mongo: Mongo;
  stores: Stores;
  outbox: Outbox;
  users: Users;
  now: () => Date;
};
