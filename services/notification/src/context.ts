import type { Outbox } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import type { Directory } from "./clients.ts";
import type { Network } from "./domain/address.ts";
import type { Resolve } from "./resolver.ts";
import type { Sender } from "./sender.ts";
import type { SigningKeys } from "./signing-keys.ts";
import type { AlertRuleStore } from "./store/alert-rules.ts";
import type { AlertStore } from "./store/alerts.ts";
import type { AssetPlaces } from "./store/asset-places.ts";
import type { DeliveryStore } from "./store/deliveries.ts";
import type { EndpointStore } from "./store/endpoints.ts";
import type { KnownIds } from "./store/known-ids.ts";
import type { NoticeStore } from "./store/notices.ts";
import type { WorkspaceLimits } from "./store/workspace-limits.ts";
import type { Workspaces } from "./store/workspaces.ts";

/** What operations work with; each names the parts that it needs. Made in app.ts. */
export type Context = {
  mongo: Mongo;
  outbox: Outbox;
  endpoints: EndpointStore;
  deliveries: DeliveryStore;
  rules: AlertRuleStore;
  alerts: AlertStore;
  notices: NoticeStore;
  limits: WorkspaceLimits;
  workspaces: Workspaces;
  zones: KnownIds;
  categories: KnownIds;
  assets: AssetPlaces;
  directory: Directory;
  keys: SigningKeys;
  sender: Sender;
  resolve: Resolve;
  allowedNetworks: readonly Network[];
};
