import type { SealedPlace } from "@asset-register/runtime";

/** Where a reader's secrets stand: what their encryption is bound to. */
export function secretPlace(readerId: string): SealedPlace {
  return { service: "tagging-ingest", collection: "readers", recordId: readerId };
}
