import { SsoDomainStatus } from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { afterAll, describe, expect, test } from "vitest";
import { checkDomains } from "../../src/operations/sso/check-domains.ts";
import { startMailbox } from "../mailbox.ts";
import { publish, ssoOfFile } from "./sso.ts";

const { server, settings, arrived } = await startMailbox();
const { identity, names, company, ahead } = await ssoOfFile(settings);
afterAll(() => server.stop());
const { VERIFIED, PENDING, LOST } = SsoDomainStatus;
const DAY = 86_400_000;

const statusOf = async (as: Parameters<typeof identity.sso.getSsoDomain>[1], domain: string) =>
  (await identity.sso.getSsoDomain({ domain }, as)).domain?.status;

describe("a domain", () => {
  test("is added once, verified by its TXT record, listed and removed", async () => {
    const { as } = await identity.seed("domains");
    const { domain: added, created } = await identity.sso.addSsoDomain(
      { domain: "Büro.Domains.COMPANY." },
      as,
    );
    expect([added?.domain, created]).toEqual(["xn--bro-hoa.domains.company", true]);
    expect(added).toMatchObject({ status: PENDING, recordName: `_asset-register.${added?.domain}` });
    expect(added?.recordValue).toMatch(/^asset-register-verification=[0-9a-f]{32}$/);
    const again = await identity.sso.addSsoDomain({ domain: "xn--bro-hoa.domains.company" }, as);
    expect([again.created, again.domain?.recordValue]).toEqual([false, added?.recordValue]);
    const other = await identity.sso.addSsoDomain({ domain: "other.domains.company" }, as);
    expect(other.domain?.recordValue).toBe(added?.recordValue);

    const { domain = "" } = added ?? {};
    const verify = (ifRevIn: number[] = []) => identity.sso.verifySsoDomain({ domain, ifRevIn }, as);
    await expect(verify()).rejects.toMatchObject({ kind: "invalid", violations: [{ field: "domain" }] });
    names.records.set(`_asset-register.${domain}`, ["v=spf1 -all", "asset-register-verification=other"]);
    await expect(verify()).rejects.toMatchObject({ kind: "invalid" });
    names.fails = true;
    await expect(verify()).rejects.toMatchObject({ kind: "unavailable" });
    names.fails = false;
    publish(names, added!);
    await expect(verify([2])).rejects.toMatchObject({ kind: "precondition" });
    expect((await verify([1])).domain).toMatchObject({ status: VERIFIED, rev: 2 });
    const { domains } = await identity.sso.listSsoDomains({}, as);
    expect(domains.map(({ status }) => status).sort()).toEqual([PENDING, VERIFIED]);
    await identity.sso.removeSsoDomain({ domain }, as);
    await expect(identity.sso.getSsoDomain({ domain }, as)).rejects.toMatchObject({ kind: "not_found" });
    const actions = (await identity.audited(as))
      .map(({ action }) => action)
      .filter((one) => one.startsWith("sso_"));
    expect(actions).toEqual([
      "sso_domain.added",
      "sso_domain.added",
      "sso_domain.verified",
      "sso_domain.removed",
    ]);
  });

  test.each([
    "com",
    "co.uk",
    "github.io",
    "gmail.com",
    "mail.gmail.com",
    "localhost",
    "10.0.0.1",
    "a b.com",
    "",
    "x@y.com",
  ])("%s is a violation", async (domain) => {
    const { as } = await identity.seed("suffixes");
    const refused = identity.sso.addSsoDomain({ domain }, as);
    await expect(refused).rejects.toMatchObject({ kind: "invalid", violations: [{ field: "domain" }] });
  });

  test("changes hands only when the record of its owner is gone at that moment", async () => {
    const owner = await company("owner", { domain: "hands.company" });
    const { as } = await identity.seed("taker");
    const { domain: claim } = await identity.sso.addSsoDomain({ domain: "hands.company" }, as);
    const take = () => identity.sso.verifySsoDomain({ domain: "hands.company" }, as);
    publish(names, claim!);
    await expect(take()).rejects.toMatchObject({ code: "SSO_DOMAIN_TAKEN" });
    expect(await statusOf(owner.as, "hands.company")).toBe(VERIFIED);
    names.records.set(claim!.recordName, [claim!.recordValue]);
    expect((await take()).domain?.status).toBe(VERIFIED);
    expect(await statusOf(owner.as, "hands.company")).toBe(PENDING);
    expect((await identity.audited(owner.as, "sso_domain.lost"))[0]?.changes[0]?.after).toContain("taken");
    const [mail] = await arrived("admin@hands.company");
    expect(mail?.subject).toBe("Asset Register: the domain hands.company is no longer verified");
    expect(mail?.text).toContain("another workspace has verified the domain");
    // Sign-ins by its addresses begin at the new owner, who has no connection.
    await expect(owner.start()).rejects.toMatchObject({ kind: "not_found" });
  });

  test("two workspaces that verify it at the same time: one has it", async () => {
    const both = await Promise.all(["fast-one", "fast-two"].map((name) => identity.seed(name)));
    for (const { as } of both) {
      const { domain } = await identity.sso.addSsoDomain({ domain: "fast.company" }, as);
      publish(names, domain!);
    }
    const results = await Promise.allSettled(
      both.map(({ as }) => identity.sso.verifySsoDomain({ domain: "fast.company" }, as)),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const lost = results.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    expect(lost.reason).toMatchObject({ code: "SSO_DOMAIN_TAKEN" });
  });
});

describe("the daily look", () => {
  const look = () => checkDomains(identity.ssoContext());

  test("a record that is gone for 7 days loses the domain: nobody joins, known people go on, and it comes back", async () => {
    const acme = await company("daily", { fields: { provision: true } });
    await acme.signIn(acme.person("admin"));
    const name = `_asset-register.${acme.domain}`;
    const records = names.records.get(name)!;
    names.records.delete(name);
    await ahead(2 * DAY, look);
    expect(await statusOf(acme.as, acme.domain)).toBe(VERIFIED);
    expect(
      (await identity.sso.getSsoDomain({ domain: acme.domain }, acme.as)).domain?.missingSince,
    ).toBeDefined();
    // It was there again in between, so the days begin again.
    names.records.set(name, records);
    await ahead(4 * DAY, look);
    names.records.delete(name);
    await ahead(6 * DAY, look);
    await ahead(10 * DAY, look);
    expect(await statusOf(acme.as, acme.domain)).toBe(VERIFIED);
    // Name servers that do not answer count for nothing.
    names.fails = true;
    await ahead(14 * DAY, look);
    expect(await statusOf(acme.as, acme.domain)).toBe(VERIFIED);
    names.fails = false;
    await ahead(16 * DAY, look);
    expect(await statusOf(acme.as, acme.domain)).toBe(LOST);
    expect(await identity.audited(acme.as, "sso_domain.lost")).toHaveLength(1);
    // The first mail reports the sign-in with the company.
    const [, lost] = await arrived(acme.emailOf("admin"), 2);
    expect(lost?.text).toContain(`the TXT record of the domain ${acme.domain} has been missing for 7 days`);
    await acme.signIn(acme.person("admin"));
    expect((await acme.finish(acme.person("new"))).error).toBe("SSO_NO_ACCOUNT");
    names.records.set(name, records);
    await ahead(18 * DAY, look);
    expect(await statusOf(acme.as, acme.domain)).toBe(VERIFIED);
    await acme.signIn(acme.person("new"));
  });
});
