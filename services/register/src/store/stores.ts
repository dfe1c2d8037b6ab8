import type { Mongo } from "@asset-register/mongo";
import { assetStore } from "./assets.ts";
import { checkoutStore } from "./checkouts.ts";
import { counterStore } from "./counters.ts";
import { historyStore } from "./history.ts";
import { movementStore } from "./movements.ts";
import { organisationStore } from "./organisation.ts";
import { statusStore } from "./statuses.ts";
import { workspaceStore } from "./workspaces.ts";

export type Stores = ReturnType<typeof createStores>;

/** Every collection that the register owns or projects. */
export function createStores(mongo: Mongo) {
  return {
    assets: assetStore(mongo),
    checkouts: checkoutStore(mongo),
    counters: counterStore(mongo),
    history: historyStore(mongo),
    movements: movementStore(mongo),
    organisation: organisationStore(mongo),
    statuses: statusStore(mongo),
    workspaces: workspaceStore(mongo),
  };
}
