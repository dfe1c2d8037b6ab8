import {
  createRpcServer,
  createServiceIdentity,
  type Handlers,
  type Implementation,
  implement,
} from "@asset-register/rpc";
import { AppError, createLogger, createMetrics } from "@asset-register/runtime";
import type { DescService } from "@bufbuild/protobuf";
import type { Keys } from "./keys.ts";

export type Upstream = {
  address: string;
  stop(): Promise<void>;
};

/** Serves what a test needs of a service, over real gRPC and behind the same checks as the service itself. */
export async function startUpstream(
  keys: Keys,
  implementations: Implementation[],
  port = 0,
): Promise<Upstream> {
  const server = createRpcServer({
    name: "upstream",
    address: { host: "127.0.0.1", port },
    implementations,
    identity: createServiceIdentity({ name: "upstream", ...keys.of("upstream") }),
    logger: createLogger({ service: "upstream", level: "silent" }),
    metrics: createMetrics({ service: "upstream" }),
  });
  const bound = await server.start();
  return { address: `127.0.0.1:${bound.port}`, stop: () => server.stop(0) };
}

/** Some methods of a service; the others fail. */
export function serving<D extends DescService>(desc: D, handlers: Partial<Handlers<D>>): Implementation {
  const all = Object.fromEntries(desc.methods.map(({ localName, name }) => [localName, missing(name)]));
  return implement(desc, { ...all, ...handlers } as Handlers<D>);
}

const missing = (name: string) => (): never => {
  throw new AppError({ kind: "internal", code: "INTERNAL", message: `${name} is not served here` });
};
