import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { ssoCodeRecords } from "../src/store/sso/codes.ts";
import { ssoConnectionRecords } from "../src/store/sso/connections.ts";
import { companyDomainRecords, HELD_DOMAIN } from "../src/store/sso/domains.ts";
import { SSO_IDENTITY, ssoIdentityRecords } from "../src/store/sso/identities.ts";
import { ssoSessionRecords } from "../src/store/sso/sessions.ts";

/** MongoDB removes a document when the time in the field has come. */
const removeAt = (field: string) => ({ key: { [field]: 1 } as const, expireAfterSeconds: 0 });

export const sso: Migration = {
  id: "0005-sso",
  async up(mongo) {
    await ensureRecordIndexes(
      mongo,
      ssoConnectionRecords,
      companyDomainRecords,
      ssoIdentityRecords,
      ssoSessionRecords,
      ssoCodeRecords,
    );
    // These span all workspaces.
    await ensureSystemIndexes(mongo, companyDomainRecords.collection, [
      {
        name: HELD_DOMAIN,
        key: { held: 1 },
        unique: true,
        partialFilterExpression: { held: { $exists: true } },
      },
      { key: { checkedAt: 1 }, partialFilterExpression: { held: { $exists: true } } },
    ]);
    await ensureSystemIndexes(mongo, ssoIdentityRecords.collection, [
      { name: SSO_IDENTITY, key: { issuer: 1, subject: 1 }, unique: true },
    ]);
    await ensureSystemIndexes(mongo, ssoSessionRecords.collection, [removeAt("expiresAt")]);
    await ensureSystemIndexes(mongo, ssoCodeRecords.collection, [removeAt("expiresAt")]);
  },
};
