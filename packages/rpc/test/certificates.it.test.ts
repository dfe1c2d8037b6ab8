import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "node:tls";
import { certificates, testKeys } from "@asset-register/harness";
import {
  type CertificateWatch,
  createCertificateWatch,
  createMetrics,
  type Tls,
} from "@asset-register/runtime";
import { expect, onTestFinished, test } from "vitest";
import { createRpcClient, createRpcServer, createServiceIdentity, implement } from "../src/index.ts";
import { echoService } from "./echo.ts";
import { echoHandlers, logger, user } from "./running.ts";

const { own, foreign } = certificates;
const both = `${own.ca}\n${foreign.ca}\n`;
const { privateKeyPem, trustedKeys } = testKeys("server", "gateway");
const metrics = createMetrics({ service: "test" });

/** A process whose certificates are files. `replace` writes new ones and reads them. */
function processOf(name: "server" | "gateway", content: Required<Tls>) {
  const folder = mkdtempSync(path.join(tmpdir(), `rpc-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const source = { ca: `${folder}/ca.crt`, cert: `${folder}/tls.crt`, key: `${folder}/tls.key` };
  const write = (tls: Required<Tls>): void => {
    for (const part of ["ca", "cert", "key"] as const) writeFileSync(source[part], tls[part] ?? "");
  };
  write(content);
  const watch: CertificateWatch = createCertificateWatch({ logger });
  const tls = watch.add("grpc", source);
  return {
    identity: createServiceIdentity({ name, privateKeyPem: privateKeyPem[name] ?? "", trustedKeys, tls }),
    replace: (tls: Required<Tls>): void => {
      write(tls);
      watch.check();
    },
  };
}

type Process = ReturnType<typeof processOf>;

const desc = echoService();

/** A server of which a call to `signedIn` lasts until `release`. */
async function serverOf({ identity }: Process) {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const server = createRpcServer({
    name: "test",
    address: { host: "127.0.0.1", port: 0 },
    implementations: [
      implement(
        desc,
        echoHandlers({
          signedIn: async () => {
            arrived.resolve();
            await released.promise;
            return { nextCursor: "held" };
          },
        }),
      ),
    ],
    ...{ identity, logger, metrics },
  });
  const { port } = await server.start();
  onTestFinished(() => server.stop(1_000));
  return { port, arrived: arrived.promise, release: released.resolve };
}

/** `channels`: each connects at its first call, so that the second call of a client needs a new connection. */
function clientOf({ identity }: Process, port: number, channels = 2) {
  const address = `127.0.0.1:${port}`;
  const client = createRpcClient(desc, { address, channels, identity, metrics, logger, deadlineMs: 30_000 });
  onTestFinished(() => client.close());
  return client;
}

/** Name of the certificate that the server shows to a new connection. */
async function servedTo({ port }: { port: number }): Promise<string | undefined> {
  const socket = connect({ port, host: "127.0.0.1", ALPNProtocols: ["h2"], ca: both, ...pairOf(own) });
  await once(socket, "secureConnect");
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}

const pairOf = ({ cert, key }: Required<Tls>) => ({ cert, key });

test("new certificates of another authority are used by new connections of server and clients; a running call continues", async () => {
  const server = processOf("server", own);
  const gateway = processOf("gateway", own);
  const running = await serverOf(server);
  const before = clientOf(gateway, running.port);
  const held = before.signedIn({}, { principal: user });
  await running.arrived;
  expect(await servedTo(running)).toBe("own service");

  server.replace({ ...foreign, ca: both });
  expect(await servedTo(running)).toBe("strange service");
  // The client does not trust the new authority yet. Its connection that is open still works.
  await expect(clientOf(gateway, running.port).look({}, { principal: user })).rejects.toMatchObject({
    kind: "unavailable",
  });

  gateway.replace({ ...foreign, ca: both });
  server.replace(foreign);
  // The second channel of the client connects now: with the new certificate, since the server refuses the one before.
  expect(await before.look({ page: 7 }, { principal: user })).toMatchObject({ page: 7 });
  await expect(
    clientOf(processOf("gateway", { ...own, ca: both }), running.port).look({}, { principal: user }),
  ).rejects.toMatchObject({ kind: "unavailable" });

  running.release();
  expect(await held).toMatchObject({ nextCursor: "held" });
});
