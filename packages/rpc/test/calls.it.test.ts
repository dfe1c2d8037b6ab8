import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { eventually } from "@asset-register/harness";
import {
  AppError,
  conflict,
  currentDeadline,
  exhausted,
  invalid,
  sleep,
  unavailable,
} from "@asset-register/runtime";
import { Client, credentials, type ServiceError, status } from "@grpc/grpc-js";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Call } from "../src/index.ts";
import { logger, measured, metadataFor, type Running, running, user } from "./running.ts";

let current: Running | undefined;
afterEach(async () => {
  await current?.stop();
  current = undefined;
});

async function start(options: Parameters<typeof running>[0] = {}): Promise<Running> {
  current = await running(options);
  return current;
}

const principal = user;

/** Opens both connections of the gateway, so that a call reaches its handler before a short deadline. */
async function openConnections({ gateway }: Running): Promise<void> {
  for (let channel = 0; channel < 2; channel += 1) await gateway.anyone({}, { principal });
}

/** Calls without our client. So the call has no deadline, unless the test sets one. */
async function rawCall(
  { port, ids }: Running,
  path: string,
  options: { deadline?: number } = {},
): Promise<ServiceError | null> {
  const raw = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const same = (bytes: Buffer) => bytes;
  const metadata = await metadataFor(ids.gateway);
  return new Promise((resolve) => {
    raw.makeUnaryRequest(path, same, same, Buffer.alloc(0), metadata, options, (error) => {
      raw.close();
      resolve(error);
    });
  });
}

describe("errors", () => {
  it.each([
    invalid([{ field: "scans[3].code", message: "is required" }], "Ungültig: größer als erlaubt"),
    conflict("ASSET_CHECKED_OUT", "The asset is checked out", [{ field: "asset_id", message: "ast_1" }]),
    exhausted("Too many", 2500),
    unavailable("Later", 1500),
    new AppError({ kind: "precondition", code: "PRECONDITION_FAILED", message: "Changed" }),
  ])("the client gets the thrown AppError $code unchanged", async (thrown) => {
    const { gateway } = await start({ handlers: { look: () => Promise.reject(thrown) } });
    const error = await gateway.look({}, { principal }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(AppError);
    const { kind, code, message, violations, retryAfterMs } = error as AppError;
    expect({ kind, code, message, violations, retryAfterMs }).toEqual({
      kind: thrown.kind,
      code: thrown.code,
      message: thrown.message,
      violations: thrown.violations,
      retryAfterMs: thrown.retryAfterMs,
    });
  });

  it("the error of a bug does not show the cause to the caller", async () => {
    const secret = "mongodb://admin:hunter2@db";
    const server = await start({
      handlers: {
        look: () => {
          throw new TypeError(secret);
        },
        anyone: () => Promise.reject(new Error(secret)),
      },
    });
    await expect(server.gateway.look({}, { principal })).rejects.toMatchObject({
      kind: "internal",
      code: "INTERNAL",
      message: "An internal error occurred. Please try again later.",
    });
    const wire = await rawCall(server, "/test.v1.EchoService/Anyone");
    expect(wire?.code).toBe(status.INTERNAL);
    expect(JSON.stringify([wire?.details, wire?.metadata.toJSON()])).not.toContain("hunter2");
    const [trailer] = wire?.metadata.get("assetregister-error-bin") ?? [];
    expect(String(trailer)).not.toContain("hunter2");
  });

  it("an error with more violations than fit into the trailer keeps its kind, its code and the first violations", async () => {
    const violations = Array.from({ length: 3000 }, (_, index) => ({
      field: `items.${index}.serial_number`,
      message: "ist länger als erlaubt und muss gekürzt werden",
    }));
    const { gateway } = await start({ handlers: { look: () => Promise.reject(invalid(violations)) } });
    const error = await gateway.look({}, { principal }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ kind: "invalid", code: "VALIDATION_FAILED" });
    const kept = (error as AppError).violations;
    expect(kept).toEqual(violations.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(90);
  });

  it("a call of a stopped server is unavailable", async () => {
    const { gateway, server } = await start();
    await server.stop(0);
    await expect(gateway.look({}, { principal })).rejects.toMatchObject({
      kind: "unavailable",
      retryAfterMs: 1000,
    });
  });

  it("a call does not use the proxies of the environment", async () => {
    const connections: Socket[] = [];
    const proxy = createServer((socket) => void connections.push(socket.destroy())).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    onTestFinished(() => {
      vi.unstubAllEnvs();
      proxy.close();
    });
    const { port } = proxy.address() as AddressInfo;
    for (const name of ["grpc_proxy", "https_proxy", "http_proxy"])
      vi.stubEnv(name, `http://127.0.0.1:${port}`);
    for (const name of ["no_grpc_proxy", "no_proxy"]) vi.stubEnv(name, undefined);
    const { gateway } = await start();
    expect(await gateway.look({ cursor: "direct" }, { principal })).toMatchObject({ nextCursor: "direct" });
    expect(connections).toEqual([]);
  });

  it("a message over 16 MiB gets PAYLOAD_TOO_LARGE, and a smaller one on the same connection succeeds", async () => {
    const { gateway } = await start();
    const call = { principal, deadlineMs: 60_000 };
    const larger = gateway.look({ cursor: "x".repeat(17 * 1024 * 1024) }, call);
    const large = "x".repeat(15 * 1024 * 1024);
    const [refused, taken] = await Promise.allSettled([larger, gateway.look({ cursor: large }, call)]);
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "PAYLOAD_TOO_LARGE" } });
    expect(taken.status === "fulfilled" && taken.value.nextCursor === large).toBe(true);
  });
});

describe("deadlines and cancellation", () => {
  it("a call ends at its deadline, and the signal of its handler is aborted", async () => {
    const { promise, resolve } = Promise.withResolvers<Call>();
    const own = await start({
      handlers: {
        look: async (_request, call) => {
          resolve(call);
          await once(call.signal, "abort");
          return {};
        },
      },
    });
    await openConnections(own);
    const late = own.gateway.look({}, { principal, deadlineMs: 2000 });
    await expect(late).rejects.toMatchObject({ kind: "unavailable", code: "DEADLINE_EXCEEDED" });
    const call = await promise;
    await eventually(() => expect(call.signal.aborted).toBe(true));
  });

  it("the work of a call has a deadline that leaves time for the answer", async () => {
    const left: number[] = [];
    const own = await start({
      handlers: {
        look: async (_request, call) => {
          await sleep(1);
          left.push(call.deadline.getTime() - (currentDeadline() ?? 0));
          return {};
        },
        list: async function* (_request, call) {
          yield {};
          left.push(call.deadline.getTime() - (currentDeadline() ?? 0));
        },
      },
    });
    const { gateway } = own;
    await openConnections(own);
    await gateway.look({}, { principal, deadlineMs: 60_000 });
    await gateway.look({}, { principal, deadlineMs: 2_000 });
    for await (const _page of gateway.list({}, { principal, deadlineMs: 60_000 }));
    expect(left).toHaveLength(3);
    expect(left[0]).toBe(250);
    expect(left[1]).toBeLessThanOrEqual(200);
    expect(left[1]).toBeGreaterThan(0);
    expect(left[2]).toBe(250);
  });

  it("a call without a deadline ends after the limit of the server", async () => {
    const never = () => new Promise<never>(() => undefined);
    const server = await start({ maxCallMs: 100, handlers: { anyone: never } });
    expect((await rawCall(server, "/test.v1.EchoService/Anyone"))?.code).toBe(status.DEADLINE_EXCEEDED);
    expect(await measured(server.metrics, "server", "Anyone", "DEADLINE_EXCEEDED")).toBe(1);
  });

  it("a call that is caused by another call has no later deadline than that call", async () => {
    const seen: number[] = [];
    const { register } = await start({
      handlers: {
        inside: (_request, call) => {
          seen.push(call.deadline.getTime());
          return {};
        },
      },
    });
    const cause = causing({ deadline: new Date(Date.now() + 20_000) });
    await register.inside({}, { call: cause, deadlineMs: 60_000 });
    // A deadline is sent as a duration, so the time of the transfer is added. That is far less than the requested 60 s.
    expect(seen[0]).toBeLessThanOrEqual(cause.deadline.getTime() + 20_000);
    const spent = causing({ deadline: new Date(Date.now() - 1) });
    await expect(register.inside({}, { call: spent })).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    expect(seen).toHaveLength(1);
  });

  it("a call that the caller cancels ends with CANCELLED, also on the server", async () => {
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
    const { gateway } = await start({
      handlers: {
        look: async (_request, call) => {
          enter();
          await once(call.signal, "abort");
          abort();
          return {};
        },
      },
    });
    const controller = new AbortController();
    const call = gateway.look({}, { principal, signal: controller.signal });
    call.catch(() => undefined);
    await entered;
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
    await aborted;
    const before = gateway.look({}, { principal, signal: AbortSignal.abort() });
    await expect(before).rejects.toMatchObject({ code: "CANCELLED" });
  });
});

describe("the context of a call", () => {
  it("a call passes on the actor, the workspace and the request id of the call that causes it", async () => {
    const { register } = await start();
    const answer = await register.inside({}, { call: causing({ requestId: "req-7" }) });
    expect(answer.nextCursor).toBe("wsp_1 user usr_1 req-7");
  });

  it("a call passes on the address and the request id of the client, and ignores malformed ones", async () => {
    const { register, gateway } = await start({
      handlers: {
        inside: (_request, { clientAddress, clientRequestId }) => ({
          nextCursor: `${clientAddress} ${clientRequestId}`,
        }),
        look: (_request, { clientAddress, clientRequestId }) => ({
          nextCursor: `${clientAddress} ${clientRequestId}`,
        }),
      },
    });
    const call = causing({ clientAddress: "192.0.2.7", clientRequestId: "sync-1" });
    expect((await register.inside({}, { call })).nextCursor).toBe("192.0.2.7 sync-1");
    const given = { clientAddress: "::ffff:192.0.2.8", clientRequestId: "sync-2" };
    expect((await gateway.look({}, { principal, ...given })).nextCursor).toBe("192.0.2.8 sync-2");
    const malformed = { clientAddress: "unknown", clientRequestId: "x y" };
    expect((await gateway.look({}, { principal, ...malformed })).nextCursor).toBe("undefined undefined");
    expect((await gateway.look({}, { principal })).nextCursor).toBe("undefined undefined");
  });

  it("a call without a request id, or with a malformed one, gets a new request id", async () => {
    const { gateway } = await start();
    const ids = await Promise.all(
      [{}, { requestId: "x y\u007f" }].map(async (extra) => {
        const answer = await gateway.signedIn({}, { principal, ...extra }).catch(() => undefined);
        return answer?.nextCursor?.split(" ").at(-1);
      }),
    );
    expect(ids[0]).toMatch(/^req_/);
    expect(ids[1] === undefined || ids[1].startsWith("req_")).toBe(true);
  });

  it("a call is measured on both sides with the name of the method", async () => {
    const { gateway, metrics, clientMetrics } = await start();
    await gateway.look({}, { principal });
    expect(await measured(metrics, "server", "Look", "OK")).toBe(1);
    expect(await measured(clientMetrics, "client", "Look", "OK")).toBe(1);
  });
});

function causing(changes: Partial<Call>): Call {
  return {
    principal: user,
    workspaceId: "wsp_1",
    actor: { kind: "user", id: "usr_1" },
    requestId: "r-1",
    deadline: new Date(Date.now() + 60_000),
    signal: new AbortController().signal,
    logger,
    ...changes,
  };
}
