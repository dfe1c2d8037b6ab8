import { type ClientSession, defineRecords, type Mongo, type RecordDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { CompanyDomain } from "../../domain/sso/company-domain.ts";

/** The domain, while it is held: a domain that was verified, or is lost and was not taken, belongs to one workspace. */
export type CompanyDomainKeys = { held?: string | undefined };

export const HELD_DOMAIN = "held_domain";

export const companyDomainRecords = defineRecords<CompanyDomain, CompanyDomainKeys>({
  collection: "sso_domains",
  name: "domain",
  fields: {
    domain: String,
    status: String,
    token: String,
    verifiedAt: Date,
    missingSince: Date,
    checkedAt: Date,
    createdAt: Date,
    rev: Number,
  },
  beside: { held: String },
  derive: ({ status, domain }) => ({ held: status === "pending" ? undefined : domain }),
  indexes: [{ name: "list", key: { workspaceId: 1, _id: 1 } }],
});

export function createCompanyDomainStore(mongo: Mongo) {
  const { collection, get, insert, save, find, findOne, list, toRecord } = companyDomainRecords.store(mongo);
  const everywhere = systemCollection<RecordDocument<CompanyDomain, CompanyDomainKeys>>(
    mongo,
    companyDomainRecords.collection,
  );
  return {
    get,
    insert,
    /** @throws AppError CONFLICT; a duplicate of HELD_DOMAIN when another workspace holds the domain */
    save,

    list: (workspaceId: string, page: PageQuery): Promise<Page<CompanyDomain>> => list(workspaceId, page),

    count: (workspaceId: string, session: ClientSession): Promise<number> =>
      collection.countDocuments({ workspaceId }, { session }),

    /** Any domain of the workspace. */
    any: (workspaceId: string, session: ClientSession): Promise<CompanyDomain | undefined> =>
      findOne(workspaceId, {}, session),

    listVerified: (workspaceId: string): Promise<CompanyDomain[]> =>
      find(workspaceId, { status: "verified" }),

    /** The domain of the workspace that holds it. */
    async findHeld(domain: string): Promise<CompanyDomain | undefined> {
      const found = await everywhere.findOne({ held: domain });
      return found === null ? undefined : toRecord(found);
    },

    /** Held domains of all workspaces that were not checked since `before`. The oldest check comes first. */
    async listUnchecked(before: Date, limit: number): Promise<CompanyDomain[]> {
      const found = everywhere.find({ held: { $exists: true }, checkedAt: { $lt: before } });
      return (await found.sort({ checkedAt: 1 }).limit(limit).toArray()).map(toRecord);
    },

    async remove(workspaceId: string, id: string, session: ClientSession): Promise<void> {
      await collection.deleteOne({ workspaceId, _id: id }, { session });
    },
  };
}
