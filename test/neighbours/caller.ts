import type { testKeys } from "@asset-register/harness";
import { createRpcClient, createServiceIdentity } from "@asset-register/rpc";
import { createLogger, createMetrics } from "@asset-register/runtime";
import type { DescService } from "@bufbuild/protobuf";

const logger = createLogger({ service: "test", level: "error" });
const metrics = createMetrics({ service: "test" });

/** Clients of a service under test that speak as another service, the gateway unless told. */
export function createCaller(port: number, keys: ReturnType<typeof testKeys>) {
  const opened: { close(): void }[] = [];
  return {
    client<D extends DescService>(service: D, name = "gateway") {
      const identity = createServiceIdentity({
        name,
        privateKeyPem: keys.privateKeyPem[name] ?? "",
        trustedKeys: keys.trustedKeys,
      });
      const address = `127.0.0.1:${port}`;
      const client = createRpcClient(service, { address, identity, metrics, logger, deadlineMs: 20_000 });
      opened.push(client);
      return client;
    },
    close(): void {
      for (const client of opened) client.close();
    },
  };
}
