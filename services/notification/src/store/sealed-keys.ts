import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { ENDPOINTS, type EndpointDocument } from "./endpoints.ts";

/** Ids of the keys that secrets of endpoints are sealed with, in all workspaces. */
export function sealedKeyIds(mongo: Mongo): Promise<string[]> {
  return systemCollection<EndpointDocument>(mongo, ENDPOINTS).distinct("secret.key_id");
}
