import { SsoService } from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import {
  decodeExchangeSso,
  decodeFinishSso,
  decodeLogoutSso,
  decodePutConnection,
  decodeStartSso,
} from "../decode/sso.ts";
import { domainId, normalDomain } from "../domain/sso/company-domain.ts";
import { encodeFirstStep } from "../encode/session.ts";
import { encodeConnection, encodeDomain } from "../encode/sso.ts";
import { addDomain } from "../operations/sso/add-domain.ts";
import { deleteConnection } from "../operations/sso/delete-connection.ts";
import { exchangeSso } from "../operations/sso/exchange-sso.ts";
import { finishSso } from "../operations/sso/finish-sso.ts";
import { logoutSso } from "../operations/sso/logout-sso.ts";
import { putConnection } from "../operations/sso/put-connection.ts";
import { removeDomain } from "../operations/sso/remove-domain.ts";
import type { SsoContext } from "../operations/sso/sso-context.ts";
import { startSso } from "../operations/sso/start-sso.ts";
import { testConnection } from "../operations/sso/test-connection.ts";
import { verifyDomain } from "../operations/sso/verify-domain.ts";

/** No answer of a step of a sign-in is stored under an Idempotency-Key: states and codes work once. */
export function ssoService(context: SsoContext): Implementation {
  const { stores, sso, now } = context;
  return implement(SsoService, {
    async getSsoConnection(_request, { workspaceId }) {
      const found = await stores.ssoConnections.get(workspaceId);
      return { connection: encodeConnection(sso, requireFound(found, "single sign-on connection")) };
    },

    putSsoConnection: command(
      decodePutConnection,
      (input, call) => putConnection(context, input, call),
      (connection) => ({ connection: encodeConnection(sso, connection) }),
    ),

    deleteSsoConnection: command(
      ({ ifRevIn }) => ({ ifRevIn }),
      (input, call) => deleteConnection(context, input, call),
      () => ({}),
    ),

    async testSsoConnection(_request, { workspaceId }) {
      return { results: await testConnection(context, workspaceId) };
    },

    async listSsoDomains({ page }, { workspaceId }) {
      const found = await stores.companyDomains.list(workspaceId, pageRequest(page));
      return { domains: found.items.map(encodeDomain), page: pageInfo(found) };
    },

    async getSsoDomain({ domain }, { workspaceId }) {
      const id = domainId(workspaceId, normalDomain(domain));
      return {
        domain: encodeDomain(requireFound(await stores.companyDomains.get(workspaceId, id), "domain")),
      };
    },

    addSsoDomain: command(
      ({ domain }) => ({ domain }),
      (input, call) => addDomain(context, input, call),
      ({ domain, created }) => ({ domain: encodeDomain(domain), created }),
    ),

    verifySsoDomain: command(
      ({ domain, ifRevIn }) => ({ domain, ifRevIn }),
      (input, call) => verifyDomain(context, input, call),
      (domain) => ({ domain: encodeDomain(domain) }),
    ),

    removeSsoDomain: command(
      ({ domain, ifRevIn }) => ({ domain, ifRevIn }),
      (input, call) => removeDomain(context, input, call),
      () => ({}),
    ),

    async startSso(request) {
      return startSso(context, decodeStartSso(request));
    },

    async finishSso(request, call) {
      const finished = await finishSso(context, decodeFinishSso(request), call);
      return "code" in finished
        ? { result: { case: "code", value: finished.code } }
        : { result: { case: "error", value: finished.error } };
    },

    async exchangeSso(request, call) {
      return encodeFirstStep(await exchangeSso(context, decodeExchangeSso(request), call), now());
    },

    async logoutSso(request, call) {
      await logoutSso(context, decodeLogoutSso(request), call);
      return {};
    },
  });
}
