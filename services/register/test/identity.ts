import type { TestKeys } from "@asset-register/harness";
import { UserDirectoryService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { createRpcServer, createServiceIdentity, implement } from "@asset-register/rpc";
import { createLogger, createMetrics } from "@asset-register/runtime";

/** What identity answers over gRPC, of the users (`workspace:user`) that a test puts in. */
export async function startIdentity(keys: TestKeys) {
  const users = new Set<string>();
  const server = createRpcServer({
    name: "identity",
    address: { host: "127.0.0.1", port: 0 },
    implementations: [
      implement(UserDirectoryService, {
        resolveUsers: async ({ workspaceId, userIds }) => ({
          existingIds: userIds.filter((id) => users.has(`${workspaceId}:${id}`)),
        }),
      }),
    ],
    identity: createServiceIdentity({
      name: "identity",
      privateKeyPem: keys.privateKeyPem.identity ?? "",
      trustedKeys: keys.trustedKeys,
    }),
    logger: createLogger({ service: "identity", level: "error" }),
    metrics: createMetrics({ service: "identity" }),
  });
  const { port } = await server.start();
  return { port, users, stop: () => server.stop(1_000) };
}
