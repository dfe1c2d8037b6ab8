import type { LocalError } from "../errors.ts";
import { entryOf } from "../platform.ts";
import { type PlatformProcess, startPlatformProcess } from "../platform-process.ts";
import type { Environment, Progress } from "../types.ts";
import type { Instance } from "./instances.ts";
import type { ClusterMember } from "./member.ts";
import { type Places, placeOf } from "./places.ts";

export type ProcessOptions = {
  root: string;
  dataDirectory: string;
  places: Places;
  environmentOf(instance: Instance): Environment;
  progress: Progress;
  onExit(member: string, fault: LocalError): void;
  /** Receives each process when it is started. */
  members: Map<string, ClusterMember>;
};

/** The services and gateways of a cluster. */
export type Processes = {
  /** Returns when all are ready. One process of each service migrates its database, and the gateways are the last. */
  start(instances: readonly Instance[]): Promise<void>;
  /** Stops the gateways, then the services. */
  stop(): Promise<void>;
};

const isGateway = ({ name }: { name: string }): boolean => name.startsWith("gateway-");

export function createProcesses(options: ProcessOptions): Processes {
  const started: PlatformProcess[] = [];

  async function startOne(instance: Instance): Promise<void> {
    const { root, dataDirectory, places, progress } = options;
    const { exposed, health } = placeOf(places, instance);
    const part = await startPlatformProcess({
      ...{ name: instance.name, entry: entryOf(root, instance.workspace), healthAddress: health },
      ...{ env: options.environmentOf(instance), dataDirectory, progress },
      onExit: (fault) => options.onExit(instance.name, fault),
    });
    started.push(part);
    const kind = isGateway(instance) ? "gateway" : "service";
    options.members.set(instance.name, { ...part, kind, address: exposed });
  }

  async function startGroup(group: readonly Instance[]): Promise<void> {
    for (const instance of group) await startOne(instance);
    await Promise.all(started.map((part) => part.ready()));
    options.progress(`${group.map(({ name }) => name).join(", ")}: ready`);
  }

  return {
    async start(instances) {
      const services = instances.filter((one) => !isGateway(one));
      const isFirst = ({ name }: Instance) => name.endsWith("-1");
      await startGroup(services.filter(isFirst));
      await startGroup(services.filter((one) => !isFirst(one)));
      await startGroup(instances.filter(isGateway));
    },
    async stop() {
      for (const group of [started.filter(isGateway), started.filter((part) => !isGateway(part))])
        await Promise.all(group.map((part) => part.stop()));
    },
  };
}
