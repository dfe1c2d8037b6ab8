import type { TestKeys } from "@asset-register/harness";
import { UserDirectoryService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import {
  createRpcServer,
  createServiceIdentity,
  type Handlers,
  type Implementation,
  implement,
} from "@asset-register/rpc";
import { AppError, createLogger, createMetrics } from "@asset-register/runtime";
import type { DescService } from "@bufbuild/protobuf";

export type FakeService = { address: string; stop(): Promise<void> };

/** Starts a fake of another service, over real gRPC and with the same access checks as the real service. */
export async function startFakeService(
  name: string,
  keys: TestKeys,
  implementations: Implementation[],
  port = 0,
): Promise<FakeService> {
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

/** Implements some methods of a proto service. All other methods fail with INTERNAL. */
export function serving<D extends DescService>(desc: D, handlers: Partial<Handlers<D>>): Implementation {
  const all = Object.fromEntries(desc.methods.map(({ localName, name }) => [localName, missing(name)]));
  // The cast: every method has a handler, either the given one or one that fails.
  return implement(desc, { ...all, ...handlers } as Handlers<D>);
}

const missing = (name: string) => (): never => {
  throw new AppError({
    kind: "internal",
    code: "INTERNAL",
    message: `${name} is not implemented by this fake service.`,
  });
};

/** The ids that exist in a fake service. */
export function knownIds() {
  const known = new Set<string>();
  return {
    add(workspaceId: string, id: string): string {
      known.add(`${workspaceId}:${id}`);
      return id;
    },
    delete: (workspaceId: string, id: string): boolean => known.delete(`${workspaceId}:${id}`),
    has: (workspaceId: string, id: string): boolean => known.has(`${workspaceId}:${id}`),
    existing: (workspaceId: string, ids: readonly string[]): { existingIds: string[] } => ({
      existingIds: ids.filter((id) => known.has(`${workspaceId}:${id}`)),
    }),
  };
}

/** A fake of identity that knows only which users exist. */
export function fakeUsers() {
  const users = knownIds();
  const identity = serving(UserDirectoryService, {
    resolveUsers: ({ workspaceId, userIds }) => users.existing(workspaceId, userIds),
  });
  return { users, identity: [identity] };
}
