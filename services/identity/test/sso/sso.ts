import { randomUUID } from "node:crypto";
import {
  browse,
  type NameServer,
  startNameServer,
  startProvider,
  type TestProvider,
} from "@asset-register/harness/sso";
import type { PutSsoConnectionRequestSchema } from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { capabilityNames, type Principal } from "@asset-register/rpc";
import { createKeyring } from "@asset-register/runtime";
import type { Caller } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, beforeEach } from "vitest";
import { createSso } from "../../src/providers/create-sso.ts";
import { anonymous, startIdentity } from "../support.ts";

export type Person = TestProvider["state"]["person"];

/** Identity with two real providers on private issuers and a name server of its own. */
export async function ssoOfFile(settings: Record<string, string> = {}) {
  const [provider, otherProvider, names] = await Promise.all([
    startProvider(),
    startProvider(),
    startNameServer(),
  ]);
  const identity = await startIdentity({
    SSO_PRIVATE_ISSUERS: `${provider.issuer},${otherProvider.issuer}`,
    SSO_DNS_SERVERS: names.address,
    ...settings,
  });
  afterAll(async () => {
    await identity.stop();
    await Promise.all([provider.stop(), otherProvider.stop(), names.stop()]);
  });
  beforeEach(() => {
    for (const { state } of [provider, otherProvider]) {
      Object.assign(state, {
        tamper: {},
        keys: [],
        publishesOwn: true,
        refreshTokens: false,
        down: undefined,
      });
    }
    names.fails = false;
  });
  /** The clock of identity goes ahead during a test. The providers have the machine's clock. */
  const ahead = async (ms: number, during: () => Promise<unknown>) => {
    identity.advance(ms);
    await during().finally(() => identity.advance(-ms));
  };
  /** For what the worker does. */
  const contextOf = () => ({
    ...identity.context,
    sso: createSso(identity.config, {
      keyring: createKeyring(identity.config.KEYRING),
      now: identity.context.now,
    }),
  });
  const company = (name: string, options: Partial<CompanyOptions> = {}) =>
    newCompany(identity, names, { name, provider, ...options });
  return { identity: { ...identity, ssoContext: contextOf }, provider, otherProvider, names, company, ahead };
}

type Identity = Awaited<ReturnType<typeof startIdentity>>;
type Fields = MessageInitShape<typeof PutSsoConnectionRequestSchema> & { $typeName?: never };
type CompanyOptions = { name: string; provider: TestProvider; fields: Fields; domain: string };

/** A workspace with a verified domain and a connection to a provider. */
async function newCompany(
  identity: Identity,
  names: NameServer,
  {
    name,
    provider,
    fields = {},
    domain = `${name}.company`,
  }: Partial<CompanyOptions> & Pick<CompanyOptions, "name" | "provider">,
) {
  const { as, workspace, admin } = await identity.seed(name, { adminEmail: `admin@${domain}` });
  const draft = await identity.sso.putSsoConnection({ issuer: provider.issuer }, as);
  const { id = "", redirectUri = "" } = draft.connection ?? {};
  const client = await provider.register(redirectUri, {
    backchannel_logout_uri: draft.connection?.backchannelLogoutUri,
    backchannel_logout_session_required: true,
  });
  const registered = {
    ...{ issuer: provider.issuer, clientId: client.client_id, clientSecret: client.client_secret },
    ...fields,
  };
  await identity.sso.putSsoConnection(registered, as);
  await verifyDomain(identity, names, domain, as);
  const emailOf = (local: string) => `${local}@${domain}`;

  const start = (local = "admin", fresh = false) =>
    identity.sso.startSso({ email: emailOf(local), fresh }, anonymous);

  /** Goes to the provider and back, as a browser does. */
  async function finish(person: Person, started?: Awaited<ReturnType<typeof start>>) {
    const { location, state } = started ?? (await start());
    provider.state.person = person;
    const query = await browse(location, redirectUri);
    const { result } = await identity.sso.finishSso({ connectionId: id, query, state }, anonymous);
    return {
      query,
      state,
      code: result.case === "code" ? result.value : "",
      error: result.case === "error" ? result.value : undefined,
    };
  }

  const exchange = (code: string, state: string, deviceUuid: string = randomUUID()) =>
    identity.sso.exchangeSso({ code, state, deviceUuid }, anonymous);

  /** The whole way. Throws the failure that the browser would be sent on with. */
  async function signIn(person: Person, deviceUuid?: string, { fresh = false } = {}) {
    const { code, state, error } = await finish(person, await start("admin", fresh));
    if (error !== undefined) throw new Error(error);
    const answer = await exchange(code, state, deviceUuid);
    const verified = await identity.verify(answer.tokens?.accessToken ?? "");
    if (verified.principal.case !== "user") throw new Error("no user");
    const { userId, sessionId, capabilities } = verified.principal.value;
    const principal: Principal = {
      ...{ kind: "user", workspaceId: workspace.id, id: userId, sessionId, deviceUuid: answer.deviceUuid },
      capabilities: capabilityNames.decodeAll(capabilities),
    };
    return {
      ...{
        answer,
        userId,
        sessionId,
        as: { principal },
        mfaEnrolmentRequired: verified.principal.value.mfaEnrolmentRequired,
      },
      deviceUuid: answer.deviceUuid,
      refreshToken: answer.tokens?.refreshToken ?? "",
      accessToken: answer.tokens?.accessToken ?? "",
      capabilities: principal.capabilities,
    };
  }

  /** A person at the provider with an address in the domain. */
  const person = (local: string, claims: Record<string, unknown> = {}): Person => ({
    ...{ sub: `${name}-${local}`, email: emailOf(local), name: local, ...claims },
  });

  const change = async (changed: Fields, by: Caller = as) =>
    (await identity.sso.putSsoConnection({ ...registered, clientSecret: undefined, ...changed }, by))
      .connection;

  return {
    ...{ as, workspace, admin, connectionId: id, redirectUri, client, domain, registered },
    ...{ emailOf, start, finish, exchange, signIn, person, change },
    refresh: (session: { refreshToken: string; deviceUuid: string }) =>
      identity.sessions.refresh(
        { refreshToken: session.refreshToken, deviceUuid: session.deviceUuid },
        anonymous,
      ),
  };
}

/** Adds a domain, publishes its TXT record and verifies it. */
export async function verifyDomain(identity: Identity, names: NameServer, domain: string, as: Caller) {
  const { domain: added } = await identity.sso.addSsoDomain({ domain }, as);
  if (added === undefined) throw new Error("no domain");
  publish(names, added);
  return identity.sso.verifySsoDomain({ domain }, as);
}

export function publish({ records }: NameServer, added: { recordName: string; recordValue: string }): void {
  const present = records.get(added.recordName) ?? [];
  records.set(added.recordName, [...new Set([...present, added.recordValue])]);
}
