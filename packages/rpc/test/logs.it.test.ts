import { createLogger } from "@asset-register/runtime";
import { Client, credentials, Metadata, status } from "@grpc/grpc-js";
import { afterEach, describe, expect, it } from "vitest";
import { identities, type Running, running, user } from "./running.ts";

let current: Running | undefined;
afterEach(async () => {
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
  return { ...current, calls, text: () => lines.join() };
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
    expect(text()).not.toContain(await ids.gateway.tokenFor(principal));
  });

  it("a refused service token is logged at warn with the reason, because only an operator can fix it", async () => {
    const { port, calls } = await start("info");
    const raw = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set("authorization", `Bearer ${await identities("gateway").gateway.tokenFor(principal)}`);
    const same = (bytes: Buffer) => bytes;
    const code = await new Promise((resolve) =>
      raw.makeUnaryRequest("/test.v1.EchoService/Look", same, same, Buffer.alloc(0), metadata, (error) =>
        resolve(error?.code),
      ),
    );
    raw.close();
    expect(code).toBe(status.UNAUTHENTICATED);
    expect(calls()).toMatchObject([{ level: "warn", status: "UNAUTHENTICATED" }]);
    expect(JSON.stringify(calls())).toContain('not signed with a trusted key of \\"gateway\\"');
  });
});
