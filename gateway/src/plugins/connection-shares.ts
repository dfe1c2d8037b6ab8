import { clientNetworks } from "@asset-register/runtime";
import fp from "fastify-plugin";
import type { AddressList } from "../address-list.ts";
import { createShares } from "../shares.ts";

export type ConnectionSharesOptions = {
  maxPerNetwork: number;
  /** Proxies, which connect for many clients. They have no limit of their own. */
  proxies: AddressList | undefined;
};

/** Closes the connections of a client network beyond its share, so that it can't use up those of the server. */
export const connectionShares = fp<ConnectionSharesOptions>(async (app, { maxPerNetwork, proxies }) => {
  const shares = createShares();
  app.server.on("connection", (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || proxies?.admits(remoteAddress)) return;
    const release = shares.take(
      clientNetworks(remoteAddress).map(({ network, clients }) => ({
        key: network,
        max: maxPerNetwork * clients,
      })),
    );
    if (release === undefined) socket.destroy();
    else socket.once("close", release);
  });
});
