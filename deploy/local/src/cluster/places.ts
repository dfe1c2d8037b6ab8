import { assignPort, requireFree } from "../ports.ts";
import type { Instance } from "./instances.ts";

/** Where a process listens, and where others reach it: behind its proxy, if it has one. */
export type Place = { port: number; exposed: string; health: string };

export type Places = ReadonlyMap<string, Place>;

type PlaceOptions = {
  dataDirectory: string;
  /** The port of the first gateway. Default: any free port. */
  gatewayPort: number | undefined;
  /** Opens a proxy in front of a member, and returns its port. */
  expose(member: string, port: number): Promise<number>;
};

/**
 * Chooses ports for all processes, and opens the proxies of the services.
 * @throws LocalError if the port of the first gateway is taken
 */
export async function placesOf(instances: Instance[], options: PlaceOptions): Promise<Places> {
  const places = new Map<string, Place>();
  for (const instance of instances) {
    const health = `127.0.0.1:${await assignPort(options.dataDirectory, `${instance.name}-health`)}`;
    const port = await portOf(instance, options);
    const exposed = instance.workspace === "gateway" ? port : await options.expose(instance.name, port);
    places.set(instance.name, { port, exposed: `127.0.0.1:${exposed}`, health });
  }
  return places;
}

async function portOf({ name }: Instance, { dataDirectory, gatewayPort }: PlaceOptions): Promise<number> {
  if (name !== "gateway-1" || gatewayPort === undefined) return assignPort(dataDirectory, name);
  await requireFree(gatewayPort, "the gateway", "GATEWAY_PORT");
  return gatewayPort;
}

/** @throws Error for a process that has none */
export function placeOf(places: Places, { name }: Instance): Place {
  const place = places.get(name);
  if (place === undefined) throw new Error(`${name} has no place`);
  return place;
}
