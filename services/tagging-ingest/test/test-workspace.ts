import {
  type CreateReaderRequestSchema,
  type CreateZoneRequestSchema,
  ReaderKind,
  type ReaderService,
  type ZoneService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import type { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import type { Client } from "@asset-register/rpc";
import { newId, requireFound } from "@asset-register/runtime";
import { caller, type knownIds } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { newEpc, testReader } from "./test-reader.ts";

type Tagging = {
  register: Record<"assets" | "locations", ReturnType<typeof knownIds>>;
  readers: Client<typeof ReaderService>;
  zones: Client<typeof ZoneService>;
  tags: Client<typeof TagService>;
};

export type ReaderFields = Omit<MessageInitShape<typeof CreateReaderRequestSchema>, "$typeName">;
export type ZoneFields = Omit<MessageInitShape<typeof CreateZoneRequestSchema>, "$typeName">;

/** A workspace with a caller who has all rights in it. */
export function newWorkspace({ register, readers, zones, tags }: Tagging) {
  const id = newId("wsp");
  const admin = caller.user(id, "admin");
  const newAsset = () => register.assets.add(id, newId("ast"));
  /** A fixed portal. */
  async function newReader(fields: ReaderFields = {}) {
    const kind = ReaderKind.FIXED_PORTAL;
    const { reader, secret } = await readers.createReader({ name: "Gate", kind, ...fields }, admin);
    return testReader(id, { id: requireFound(reader).id, secret });
  }
  async function newZone(fields: ZoneFields = {}) {
    const { zone } = await zones.createZone({ name: "Hall", ...fields }, admin);
    return requireFound(zone).id;
  }
  const addLocations = (...locationIds: string[]) => {
    for (const locationId of locationIds) register.locations.add(id, locationId);
  };
  return {
    ...{ id, admin, newAsset, newReader, newZone, addLocations },
    /** A zone with new locations, and a reader in it. */
    async newGate(locationIds: string[], fields: ReaderFields = {}) {
      addLocations(...locationIds);
      const zoneId = await newZone({ locationIds });
      return { ...(await newReader({ zoneId, ...fields })), zoneId };
    },
    /** A new asset, and a tag on it. */
    async taggedAsset() {
      const [assetId, epc] = [newAsset(), newEpc()];
      const { tag } = await tags.commissionTag({ ...byEpc(epc), assetId }, admin);
      return { assetId, epc, tagId: requireFound(tag).id };
    },
  };
}

export type Workspace = ReturnType<typeof newWorkspace>;

export const byEpc = (value: string) => ({ identifier: { case: "epc", value } }) as const;
export const byCode = (value: string) => ({ identifier: { case: "code", value } }) as const;
