import { createRpcServer, createServiceIdentity, implement } from "@asset-register/rpc";
import { AppError, createLogger, createMetrics } from "@asset-register/runtime";
/** Serves what a test needs of another service, over real gRPC and with the same checks as the service itself. */
export async function startFakeService(name, keys, implementations, port = 0) {
  const server = createRpcServer({
    name,
    address: { host: "127.0.0.1", port },
    implementations,
    identity: createServiceIdentity({
      name,
      privateKeyPem: keys.privateKeyPem[name] ?? "",
      trustedKeys: keys.trustedKeys,
    }),
    logger: createLogger({ service: name, level: "silent" }),
    metrics: createMetrics({ service: name }),
  });
  const bound = await server.start();
  return { address: `127.0.0.1:${bound.port}`, stop: () => server.stop(0) };
}
/** Some methods of a proto service. The others fail. */
export function serving(desc, handlers) {
  const all = Object.fromEntries(desc.methods.map(({ localName, name }) => [localName, missing(name)]));
  return implement(desc, { ...all, ...handlers });
}
const missing = (name) => () => {
  throw new AppError({ kind: "internal", code: "INTERNAL", message: `${name} is not served here` });
};
/** The ids that a fake service knows. */
export function knownIds() {
  const known = new Set();
  return {
    add(workspaceId, id) {
      known.add(`${workspaceId}:${id}`);
      return id;
    },
    has: (workspaceId, id) => known.has(`${workspaceId}:${id}`),
    existing: (workspaceId, ids) => ({
      existingIds: ids.filter((id) => known.has(`${workspaceId}:${id}`)),
    }),
  };
}
