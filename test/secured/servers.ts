import { execFile } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer } from "node:tls";
import { promisify } from "node:util";
import { findFreePort, type RunningServer, serverKinds, startNative } from "@asset-register/local";
import mongoose from "mongoose";
import { certificates } from "../harness/certificates.ts";

const { own } = certificates;

type Pair = { cert: string; key: string };

export const USER = "register";
/** With characters that URLs and JAAS texts treat in special ways would be, if they were not encoded. */
export const PASSWORD = "a/b@c:d";

type Secured<T> = T & { stop(): Promise<void> };
type Kind = (typeof serverKinds)["mongo"];
type Context = Parameters<Awaited<ReturnType<Kind["native"]>>["launch"]>[0];
type Launch = Awaited<ReturnType<Awaited<ReturnType<Kind["native"]>>["launch"]>>;

/** Starts a server of its own whose launch is changed, with its data in a folder that `stop` removes. */
async function startSecured(
  kind: Kind,
  {
    probe,
    secure,
  }: { probe(port: number): Promise<void>; secure(launch: Launch, context: Context): Promise<Launch> },
): Promise<Secured<{ port: number; server: RunningServer }>> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), `asset-register-secured-${kind.name}-`));
  const port = await findFreePort();
  const secured: Kind = {
    ...kind,
    probe: () => probe(port),
    async native(...args) {
      const found = await kind.native(...args);
      return { ...found, launch: async (context) => secure(await found.launch(context), context) };
    },
  };
  const server = await startNative(secured, { dataDirectory, port, env: process.env, progress: () => {} });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  return { port, server, stop };
}

async function writePem(directory: string): Promise<{ authority: string; identity: string }> {
  const authority = path.join(directory, "ca.pem");
  const identity = path.join(directory, "server.pem");
  await writeFile(authority, `${own.ca}\n`);
  await writeFile(identity, `${own.cert}\n${own.key}\n`);
  return { authority, identity };
}

/**
 * MongoDB that accepts only TLS and users with a password. `authority` is the file of its certificate authority.
 * `serve` gives it another certificate, for new connections.
 */
export async function startSecuredMongo(): Promise<
  Secured<{ host: string; authority: string; serve(pair: Pair, ca: string): Promise<void> }>
> {
  let authority = "";
  let identity = "";
  const { port, stop } = await startSecured(serverKinds.mongo, {
    async secure(launch, { directory }) {
      const pem = await writePem(directory);
      ({ authority, identity } = pem);
      // Members of a replica set prove themselves by this key.
      const keyFile = path.join(directory, "key");
      await writeFile(keyFile, "a".repeat(64), { mode: 0o600 });
      const tls = ["--tlsMode", "requireTLS", "--tlsCertificateKeyFile", pem.identity];
      const clients = ["--tlsCAFile", pem.authority, "--tlsAllowConnectionsWithoutCertificates"];
      return { ...launch, args: [...launch.args, ...tls, ...clients, "--auth", "--keyFile", keyFile] };
    },
    async probe(port) {
      const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
      const client = new mongoose.mongo.MongoClient(url, { tlsCAFile: authority, tls: true });
      try {
        const admin = client.db("admin");
        // Before there is a user, a client of the same machine may do both.
        const { isWritablePrimary } = await admin.command({ hello: 1 });
        if (isWritablePrimary !== true) {
          const config = { _id: "rs0", members: [{ _id: 0, host: `127.0.0.1:${port}` }] };
          await admin.command({ replSetInitiate: config }).catch(() => undefined);
          throw new Error("no primary yet");
        }
        const user = {
          createUser: USER,
          pwd: PASSWORD,
          roles: ["readWriteAnyDatabase", "clusterMonitor", "hostManager"],
        };
        await admin.command({ ...user, writeConcern: { w: "majority" } });
      } finally {
        await client.close();
      }
    },
  });
  const serve = async ({ cert, key }: Pair, ca: string): Promise<void> => {
    const user = `${USER}:${encodeURIComponent(PASSWORD)}`;
    const client = new mongoose.mongo.MongoClient(
      `mongodb://${user}@127.0.0.1:${port}/?authSource=admin&directConnection=true`,
      { tls: true, tlsAllowInvalidCertificates: true },
    );
    try {
      await writeFile(identity, `${cert}\n${key}\n`);
      await writeFile(authority, `${ca}\n`);
      await client.db("admin").command({ rotateCertificates: 1 });
    } finally {
      await client.close();
    }
  };
  return { host: `127.0.0.1:${port}`, authority, serve, stop };
}

/** Kafka with a listener for passwords and one for client certificates, both with TLS. */
export async function startSecuredKafka(): Promise<Secured<{ passwords: string; certificates: string }>> {
  const mutual = await findFreePort();
  const jaas = (module: string, fields = "") =>
    `org.apache.kafka.common.security.${module} required${fields.replaceAll('"', '\\"')};`;
  const plain = ` username="broker" password="broker" user_broker="broker" user_${USER}="${PASSWORD}"`;
  const { port, stop } = await startSecured(serverKinds.kafka, {
    async secure(launch, { directory, port, innerPort }) {
      const { authority, identity } = await writePem(directory);
      const settings = path.join(directory, "server.properties");
      const properties = {
        listeners: `SASL_SSL://127.0.0.1:${port},SSL://127.0.0.1:${mutual},CONTROLLER://127.0.0.1:${innerPort}`,
        "advertised.listeners": `SASL_SSL://127.0.0.1:${port},SSL://127.0.0.1:${mutual}`,
        "listener.security.protocol.map": "SASL_SSL:SASL_SSL,SSL:SSL,CONTROLLER:PLAINTEXT",
        "inter.broker.listener.name": "SASL_SSL",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
        "listener.name.sasl_ssl.plain.sasl.jaas.config": jaas("plain.PlainLoginModule", plain),
        "listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config": jaas("scram.ScramLoginModule"),
        "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config": jaas("scram.ScramLoginModule"),
        "listener.name.ssl.ssl.client.auth": "required",
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": identity,
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": authority,
      };
      // Later lines win.
      const lines = Object.entries(properties).map(([name, value]) => `${name}=${value}\n`);
      await appendFile(settings, lines.join(""));
      await formatWithUsers(launch, directory, settings);
      return launch;
    },
    async probe(port) {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      socket.destroy();
    },
  });
  return { passwords: `127.0.0.1:${port}`, certificates: `127.0.0.1:${mutual}`, stop };
}

/** Formats the storage again, with a user for each SCRAM mechanism. */
async function formatWithUsers(launch: Launch, directory: string, settings: string): Promise<void> {
  await rm(path.join(directory, "log"), { recursive: true, force: true });
  const java = launch.args.slice(0, launch.args.indexOf("kafka.Kafka"));
  const users = ["SCRAM-SHA-256", "SCRAM-SHA-512"].flatMap((mechanism) => [
    "--add-scram",
    `${mechanism}=[name=${USER},password=${PASSWORD}]`,
  ]);
  const format = ["kafka.tools.StorageTool", "format", "-t", "AAAAAAAAQACAAAAAAAAAAQ", "-c", settings];
  await promisify(execFile)(launch.command, [...java, ...format, ...users]);
}

/**
 * Redis with a password behind a proxy that ends TLS, since the Redis that can be had here was built without it.
 * `serve` gives the proxy another certificate, for new connections.
 */
export async function startSecuredRedis(): Promise<Secured<{ url: string; serve(pair: Pair): void }>> {
  const { port, stop } = await startSecured(serverKinds.redis, {
    secure: async (launch) => ({ ...launch, args: [...launch.args, "--requirepass", PASSWORD] }),
    async probe(port) {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      socket.destroy();
    },
  });
  const proxy = createServer({ key: own.key, cert: own.cert }, (socket) => {
    const target = connect(port, "127.0.0.1");
    socket.pipe(target).pipe(socket);
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      one.on("error", () => other.destroy());
    }
  });
  proxy.on("tlsClientError", () => undefined);
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port: secured } = proxy.address() as AddressInfo;
  return {
    url: `rediss://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${secured}`,
    serve: ({ cert, key }) => proxy.setSecureContext({ cert, key }),
    async stop() {
      proxy.close();
      await stop();
    },
  };
}
