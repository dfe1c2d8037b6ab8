import type { LookupFunction } from "node:net";
import { rootCertificates } from "node:tls";
import { buildConnector } from "undici";
import type { Resolve } from "./resolver.ts";

/** A refusal of our own. Its message may be shown, unlike what the system reports about an internal host. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

type GuardOptions = {
  resolve: Resolve;
  timeoutMs: number;
  ca: string | undefined;
  isAllowed: (address: string) => boolean;
};

/**
 * Connects only to allowed addresses. All addresses of a name are checked before the connection, and the connected
 * address is checked again after it.
 */
export function createGuardedConnector({
  resolve,
  timeoutMs,
  ca,
  isAllowed,
}: GuardOptions): buildConnector.connector {
  const connect = buildConnector({
    lookup: checkedLookup(resolve, isAllowed),
    timeout: timeoutMs,
    allowH2: false,
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    autoSelectFamily: true,
    // For each address of the name but the last. Node's 250 ms are too short for another continent or one lost packet.
    autoSelectFamilyAttemptTimeout: Math.floor(timeoutMs / 4),
  });
  return (options, callback) => {
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error !== null) return callback(error, null);
      if (socket.remoteAddress !== undefined && isAllowed(socket.remoteAddress))
        return callback(null, socket);
      socket.destroy();
      callback(new RefusedError("the connected address is not public"), null);
    });
  };
}

function checkedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (!addresses.every(isAllowed)) {
          return callback(new RefusedError("the name resolves to an address that is not public"), []);
        }
        const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
        const [first] = found;
        if (!first) return callback(new RefusedError("the name does not resolve"), []);
        if (options.all) return callback(null, found);
        callback(null, first.address, first.family);
      },
      () => callback(new RefusedError("the name does not resolve"), []),
    );
  };
}
