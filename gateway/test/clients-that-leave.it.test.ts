import { once } from "node:events";
import { connect } from "node:net";
import { eventually, startGatewayProcess, testKeys } from "@asset-register/harness";
import { Capability } from "@asset-register/proto/assetregister/common/v1/access_pb";
import { CredentialService } from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { Plan } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { ReportService } from "@asset-register/proto/assetregister/register/v1/report_pb";
import { serving, startFakeService } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { gatewaySettings } from "./gateway.ts";

const CLIENTS = 3;
const REPORT = "/asset_manager_api/reports/register";
const token = `at_${"x".repeat(43)}`;
const verified = Promise.withResolvers<void>();
let reports = 0;

const keys = testKeys("gateway", "upstream");
const upstream = await startFakeService("upstream", keys, [
  serving(CredentialService, {
    verifyCredential: async () => {
      await verified.promise;
      const user = { userId: "usr_1", sessionId: "ses_1", deviceUuid: "d", capabilities: [Capability.VIEW] };
      const workspace = { id: "wsp_1", name: "Test", plan: Plan.BUSINESS, timeZone: "UTC", currency: "EUR" };
      return { workspace: { ...workspace, rev: 1 }, rev: 1, principal: { case: "user", value: user } };
    },
  }),
  serving(ReportService, {
    getRegisterReport: () => {
      reports += 1;
      const money = { minorUnits: 0n, currency: "EUR" };
      const figures = { count: 0, cost: money, nbv: money, accumulated: money, withoutCost: 0 };
      return { report: { ...figures, disposed: { count: 0 } } };
    },
  }),
]);
const gateway = await startGatewayProcess(gatewaySettings(keys, upstream, upstream));
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

async function requestsInFlight(): Promise<number> {
  const text = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
  return Number(/^http_server_active_requests\S* (\d+)$/m.exec(text)?.[1]);
}

test("clients that leave while their credential is verified keep no place: not of the gateway, not of their workspace", async () => {
  const { hostname, port } = new URL(gateway.url);
  const clients = Array.from({ length: CLIENTS }, () => connect(Number(port), hostname));
  for (const client of clients) {
    await once(client, "connect");
    client.write(`GET ${REPORT} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
  }
  await eventually(async () => expect(await requestsInFlight()).toBe(CLIENTS));
  for (const client of clients) client.resetAndDestroy();
  await eventually(async () => expect(await requestsInFlight()).toBe(0));
  verified.resolve();
  await eventually(() => expect(reports).toBe(CLIENTS));
  expect(await requestsInFlight()).toBe(0);
  const response = await fetch(gateway.url + REPORT, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
});
