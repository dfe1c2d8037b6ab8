import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { eventually } from "@asset-register/harness";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { serving } from "@asset-register/service-harness";
import { expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGatewayOptions } from "./gateway.ts";

const upstreams = [serving(AssetService, { listAssets: () => ({ assets: [] }) })];

async function start(settings: TestGatewayOptions["settings"] = {}) {
  const gateway = await startGateway({ implementations: upstreams, settings });
  onTestFinished(() => gateway.stop());
  return gateway;
}

/** Makes each turn of the event loop take `ms`, until the returned function is called. Gateway and test share the loop. */
function delayEventLoop(ms: number): () => void {
  let stopped = false;
  const turn = () => {
    const until = performance.now() + ms;
    while (performance.now() < until);
    if (!stopped) setImmediate(turn);
  };
  turn();
  return () => {
    stopped = true;
  };
}

test("while the event loop stays slow, requests are 503 with Retry-After; afterwards they succeed", async () => {
  const gateway = await start({ MAX_EVENT_LOOP_DELAY: "100ms" });
  const surfaceA = gateway.surfaceA(gateway.accounts.apiKey("assets:read"));
  const stopDelay = delayEventLoop(150);
  onTestFinished(stopDelay);
  const shed = await eventually(
    async () => {
      const answer = await surfaceA.call("GET", "/assets");
      expect(answer.status).toBe(503);
      return answer;
    },
    { everyMs: 0 },
  );
  stopDelay();
  expect(shed.body).toMatchObject({ success: false, code: "UNAVAILABLE" });
  expect(Number(shed.headers.get("retry-after"))).toBeGreaterThan(0);
  await eventually(async () => expect((await surfaceA.call("GET", "/assets")).status).toBe(200));
});

test("connections beyond MAX_CONNECTIONS are closed; when one ends, a new one is accepted", async () => {
  const gateway = await start({ MAX_CONNECTIONS: "3" });
  const { hostname, port } = new URL(gateway.url);
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  };
  /** Whether the server responds at all. Otherwise it closes the connection. */
  const responds = (socket: Socket): Promise<boolean> =>
    new Promise((resolve) => {
      socket.once("data", () => resolve(true));
      socket.once("close", () => resolve(false));
      socket.write("GET /v1/me HTTP/1.1\r\nhost: gateway\r\n\r\n");
    });
  const first = await open();
  for (const socket of [first, await open(), await open()]) expect(await responds(socket)).toBe(true);
  expect(await responds(await open())).toBe(false);
  first.destroy();
  await eventually(async () => expect(await responds(await open())).toBe(true));
});
