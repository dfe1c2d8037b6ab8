import { isDuplicateKey, type Migration } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { lookupKeys, tagKey } from "../src/domain/tags/tag-identity.ts";

type Row = { _id: string; epc?: string; code?: string; key: string };

/** EPCs of the schemes that were raw codes before, and codes that may be read as one. */
const AFFECTED = { $or: [{ epc: /^3[1236-9]/ }, { code: /^\s*(?:3[1236-9]|urn:epc:)/i }] };

/**
 * Tags of SSCC, SGLN and the long GS1 codes get keys without their filter bits; see packages/epc/src/epc-schemes.ts. Two tags of a
 * workspace that differ only in the filter keep one key each, because both may be bound.
 */
export const epcKeys: Migration = {
  id: "0003-epc-keys",
  async up(mongo) {
    const tags = systemCollection<Row>(mongo, "tags");
    for await (const { _id, epc, code, key } of tags.find(AFFECTED)) {
      const changed =
        epc === undefined
          ? { lookupKeys: lookupKeys(code ?? "") }
          : { key: tagKey(epc), lookupKeys: [tagKey(epc)] };
      try {
        await tags.updateOne({ _id, key }, { $set: changed });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
  },
};
