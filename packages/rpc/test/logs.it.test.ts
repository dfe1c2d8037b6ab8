import { createLogger } from "@asset-register/runtime";
import { Client, credentials, Metadata, status } from "@grpc/grpc-js";
import { afterEach, describe, expect, it } from "vitest";
import { identities, type Running, running, user } from "./running.ts";

let it_: Running | undefined;
afterEach(async () => {
  await it_?.stop();
  it_ = undefined;
});

const principal = user;

async function start(
  level: "info" | "debug",
  handlers: NonNullable<Parameters<typeof running>[0]>["handlers"] = {},
) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  it_ = await running({ handlers, logger: createLogger({ service: "test", level, destination }) });
  const calls = (): Record<string, unknown>[] =>
    lines.map((line) => JSON.parse(line)).filter((line) => String(line.message).startsWith("call"));
  return { ...it_, calls, text: () => lines.join() };
}

describe("the log of calls", () => {
  it("names request, workspace, method, status and duration of an answered call, at debug only", async () => {
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

  it("is silent at info about calls that were answered", async () => {
    const { gateway, calls } = await start("info");
    await gateway.look({}, { principal });
    expect(calls()).toEqual([]);
  });

  it("has the stack and the cause of a fault of ours, at error", async () => {
    const { gateway, calls } = await start("info", { look: () => Promise.reject(new Error("disk on fire")) });
    await expect(gateway.look({}, { principal })).rejects.toThrow();
    expect(calls()).toMatchObject([{ level: "error", status: "INTERNAL" }]);
    expect(JSON.stringify(calls())).toMatch(/disk on fire[\s\S]*logs\.it\.test/);
  });

  it("says why a caller was refused, without its token", async () => {
    const { gateway, ids, calls, text } = await start("info");
    await expect(gateway.change({}, { principal })).rejects.toThrow();
    expect(calls()).toMatchObject([{ level: "info", status: "PERMISSION_DENIED" }]);
    expect(text()).not.toContain(await ids.gateway.tokenFor(principal));
  });

  it("warns of a service whose token is refused and says why: nobody else can mend it", async () => {
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
    expect(JSON.stringify(calls())).toContain('no trusted key of \\"gateway\\" signed this');
  });
});
