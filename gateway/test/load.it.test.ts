import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { eventually } from "@asset-register/harness";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGatewayOptions } from "./gateway.ts";
import { serving } from "./upstreams.ts";

const upstreams = [serving(AssetService, { listAssets: () => ({ assets: [] }) })];

async function start(settings: TestGatewayOptions["settings"] = {}) {
  const gateway = await startGateway({ implementations: upstreams, settings });
  onTestFinished(() => gateway.stop());
  return gateway;
}

/** Makes each turn of the event loop, which gateway and test share, take so long; until it is told to stop. */
function delayTurns(ms: number): () => void {
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

test("an event loop that stays late is no place for more requests, until it is on time again", async () => {
  const gateway = await start({ MAX_EVENT_LOOP_DELAY: "100ms" });
  const programs = gateway.programs(gateway.accounts.apiKey("assets:read"));
  const stopDelay = delayTurns(150);
  onTestFinished(stopDelay);
  const shed = await eventually(
    async () => {
      const answer = await programs.call("GET", "/assets");
      expect(answer.status).toBe(503);
      return answer;
    },
    { everyMs: 0 },
  );
  stopDelay();
  expect(shed.body).toMatchObject({ success: false, code: "UNAVAILABLE" });
  expect(Number(shed.headers.get("retry-after"))).toBeGreaterThan(0);
  await eventually(async () => expect((await programs.call("GET", "/assets")).status).toBe(200));
});

test("connections beyond their limit are not taken, and are again when there is room", async () => {
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
  /** Any answer at all; none from a server that closes the connection instead. */
  const answers = (socket: Socket): Promise<boolean> =>
    new Promise((resolve) => {
      socket.once("data", () => resolve(true));
      socket.once("close", () => resolve(false));
      socket.write("GET /v1/me HTTP/1.1\r\nhost: gateway\r\n\r\n");
    });
  const first = await open();
  for (const socket of [first, await open(), await open()]) expect(await answers(socket)).toBe(true);
  expect(await answers(await open())).toBe(false);
  first.destroy();
  await eventually(async () => expect(await answers(await open())).toBe(true));
});
