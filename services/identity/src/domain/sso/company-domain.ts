import { domainToASCII } from "node:url";
import freeMailDomains from "free-email-domains";
import { parse } from "tldts";
import { emailKey } from "../email.ts";

export type DomainStatus = "pending" | "verified" | "lost";

/** A domain of the email addresses of a company. `id` is `workspaceId:domain`: claims block nobody. */
export type CompanyDomain = {
  id: string;
  workspaceId: string;
  domain: string;
  status: DomainStatus;
  /** The same for all domains of a workspace. */
  token: string;
  verifiedAt?: Date | undefined;
  /** Since when the record of a verified domain is missing. */
  missingSince?: Date | undefined;
  checkedAt?: Date | undefined;
  createdAt: Date;
  /** Counts changes, from 1. A check that changes nothing is none. */
  rev: number;
};

/** A verified domain whose record is missing for this long is lost. */
export const LOST_AFTER_MS = 7 * 86_400_000;

export const domainId = (workspaceId: string, domain: string): string => `${workspaceId}:${domain}`;

/** Where the TXT record of a domain is, and its text. */
export const recordName = (domain: string): string => `_asset-register.${domain}`;
export const recordValue = (token: string): string => `asset-register-verification=${token}`;

/** Whether the TXT records of a domain show that it belongs to the workspace with the token. */
export const showsToken = (records: readonly string[], token: string): boolean =>
  records.some((record) => record.trim() === recordValue(token));

/** The domain as it is compared and stored: lower case, punycode, without a final dot. Empty if it is none. */
export const normalDomain = (text: string): string =>
  domainToASCII(text.trim().replace(/\.$/, "")).toLowerCase();

/** The domain of an email address, to compare with `normalDomain`. */
export const domainOfEmail = (email: string): string => normalDomain(emailKey(email).split("@").at(-1) ?? "");

const FREE_MAIL = new Set(freeMailDomains);

/** Why a normal domain can't belong to one company. Undefined if it can. */
export function reasonAgainstDomain(domain: string): string | undefined {
  const {
    publicSuffix,
    domain: registrable,
    isIp,
    hostname,
  } = parse(domain, {
    allowPrivateDomains: true,
  });
  if (isIp || hostname === null || hostname !== domain || !/^[a-z0-9.-]+$/.test(domain))
    return "must be the domain of email addresses, such as example.com";
  if (registrable === null || domain === publicSuffix) return "must not be a public suffix";
  if (FREE_MAIL.has(domain) || FREE_MAIL.has(registrable))
    return "must not be a domain of free mail addresses";
  return undefined;
}
