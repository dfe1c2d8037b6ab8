import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { certificates } from "@asset-register/harness";
import { expect, onTestFinished, test } from "vitest";
import { createGuardedFetch, type Resolve } from "../src/index.ts";

async function serve(listener: RequestListener, tls?: { cert: string; key: string }) {
  const urls: (string | undefined)[] = [];
  const answer: RequestListener = (request, response) => {
    urls.push(request.url);
    listener(request, response);
  };
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const scheme = tls ? "https" : "http";
  return { origin: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`, urls };
}

function guardedFetch(
  trusted: string[],
  { resolve = async () => ["127.0.0.1"], ca }: { resolve?: Resolve; ca?: string } = {},
) {
  const guarded = createGuardedFetch({
    ...{ resolve, timeoutMs: 1_000, maxBytes: 1_000, ca },
    trustedOrigins: new Set(trusted),
  });
  onTestFinished(guarded.close);
  return guarded;
}

test("a trusted origin is reached, with method, headers and body", async () => {
  const { origin } = await serve((request, response) => {
    request.on("data", (body) => response.end(`${request.method} ${request.headers["x-test"]} ${body}`));
  });
  const answer = await guardedFetch([origin])(`${origin}/token`, {
    ...{ method: "POST", headers: { "x-test": "yes" }, body: new URLSearchParams({ code: "a b" }) },
  });
  expect([answer.status, await answer.text()]).toEqual([200, "POST yes code=a+b"]);
});

test("another port of a trusted host, plain http and a name with a private address are refused, and nothing is sent", async () => {
  const { origin, urls } = await serve((_request, response) => response.end());
  const guarded = guardedFetch(["http://127.0.0.1:1"]);
  await expect(guarded(`${origin}/`)).rejects.toThrow("must be https on port 443 or 8443");
  await expect(guarded("https://10.0.0.7/")).rejects.toThrow("must name a host, not an address");
  await expect(guarded("https://login.example.com/")).rejects.toThrow("not public");
  expect(urls).toEqual([]);
});

test("a redirect is an answer and is not followed", async () => {
  const { origin, urls } = await serve((_request, response) =>
    response.writeHead(302, { location: "/elsewhere" }).end(),
  );
  const answer = await guardedFetch([origin])(`${origin}/`);
  expect([answer.status, answer.headers.get("location"), urls]).toEqual([302, "/elsewhere", ["/"]]);
});

test("a long answer is refused, and a compressed one stays as it was sent", async () => {
  const bomb = gzipSync(Buffer.alloc(100_000));
  const { origin } = await serve((request, response) => {
    if (request.url === "/long") response.end("x".repeat(1_001));
    else response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  });
  const guarded = guardedFetch([origin]);
  await expect(guarded(`${origin}/long`)).rejects.toThrow("the answer has more than 1000 bytes");
  const answer = await guarded(`${origin}/bomb`);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bomb);
});

test("a host that does not answer in time fails", async () => {
  const { origin } = await serve(() => {});
  await expect(guardedFetch([origin])(`${origin}/`)).rejects.toThrow("no answer within 1000 ms");
});

test("each status of an answer without a body is passed on", async () => {
  const { origin } = await serve((_request, response) => response.writeHead(204).end());
  expect((await guardedFetch([origin])(`${origin}/`)).status).toBe(204);
});

test("the certificate of a private issuer is accepted with its authority only, and not by its name alone", async () => {
  const { own, foreign } = certificates;
  const { origin, urls } = await serve((_request, response) => response.end("keys"), own);
  await expect(guardedFetch([origin])(`${origin}/`)).rejects.toThrow();
  await expect(guardedFetch([origin], { ca: foreign.ca })(`${origin}/`)).rejects.toThrow();
  expect(urls).toEqual([]);
  const answer = await guardedFetch([origin], { ca: own.ca })(`${origin}/`);
  expect(await answer.text()).toBe("keys");
});
