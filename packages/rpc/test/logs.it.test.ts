import { createLogger } from "@asset-register/runtime";
import { Client, credentials, status } from "@grpc/grpc-js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AUDIENCE, identities, metadataFor, type Running, running, user } from "./running.ts";

let current: Running | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await current?.stop();
  current = undefined;
});

const principal = user;

async function start(
  level: "info" | "debug",
  handlers: NonNullable<Parameters<typeof running>[0]>["handlers"] = {},
) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  current = await running({ handlers, logger: createLogger({ service: "test", level, destination }) });
  const calls = (): Record<string, unknown>[] =>
    lines.map((line) => JSON.parse(line)).filter((line) => String(line.message).startsWith("call"));
  const refusals = (): Record<string, unknown>[] =>
    lines.map((line) => JSON.parse(line)).filter(({ refused }) => refused !== undefined);
  return { ...current, calls, refusals, text: () => lines.join() };
}

describe("the log of calls", () => {
  it("an answered call is logged at debug with request, workspace, method, status and duration", async () => {
    const { gateway, calls } = await start("debug");
    await gateway.look({}, { principal, requestId: "req-1" });
    expect(calls()).toMatchObject([
      {
        level: "debug",
        request_id: "req-1",
        workspace_id: "wsp_1",
        rpc: "test.v1.EchoService/Look",
        status: "OK",
        duration_ms: expect.any(Number),
      },
    ]);
  });

  it("an answered call is not logged at info", async () => {
    const { gateway, calls } = await start("info");
    await gateway.look({}, { principal });
    expect(calls()).toEqual([]);
  });

  it("an error of the server is logged at error with its stack", async () => {
    const { gateway, calls } = await start("info", { look: () => Promise.reject(new Error("disk on fire")) });
    await expect(gateway.look({}, { principal })).rejects.toThrow();
    expect(calls()).toMatchObject([{ level: "error", status: "INTERNAL" }]);
    expect(JSON.stringify(calls())).toMatch(/disk on fire[\s\S]*logs\.it\.test/);
  });

  it("a refused caller is logged at info without its token", async () => {
    const { gateway, ids, calls, text } = await start("info");
    await expect(gateway.change({}, { principal })).rejects.toThrow();
    expect(calls()).toMatchObject([{ level: "info", status: "PERMISSION_DENIED" }]);
    expect(text()).not.toContain(await ids.gateway.tokenFor(principal, AUDIENCE));
  });

  it("refused service tokens are logged at warn with the reason and their number, once a minute", async () => {
    const { port, refusals } = await start("info");
    const raw = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    const metadata = await metadataFor(identities("gateway").gateway, principal);
    const same = (bytes: Buffer) => bytes;
    const refuse = () =>
      new Promise((resolve) =>
        raw.makeUnaryRequest("/test.v1.EchoService/Look", same, same, Buffer.alloc(0), metadata, (error) =>
          resolve(error?.code),
        ),
      );
    const codes = await Promise.all(Array.from({ length: 20 }, refuse));
    expect(new Set(codes)).toEqual(new Set([status.UNAUTHENTICATED]));
    expect(refusals()).toMatchObject([{ level: "warn", rpc: "test.v1.EchoService/Look", refused: 1 }]);
    expect(JSON.stringify(refusals())).toContain('not signed with a trusted key of \\"gateway\\"');
    const later = performance.now() + 60_000;
    vi.spyOn(performance, "now").mockImplementation(() => later);
    await refuse();
    raw.close();
    expect(refusals()).toMatchObject([{ refused: 1 }, { refused: 20 }]);
  });
});
