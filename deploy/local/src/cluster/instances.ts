/** One process of a service, or a gateway. */
export type Instance = {
  /** For example "register-1", or with roles apart "register-worker-1". */
  name: string;
  /** The folder: "services/register" or "gateway". */
  workspace: string;
  /** Undefined: all roles. */
  role: string | undefined;
};

/** The processes of a cluster. With `split` each role is a process of its own. */
export function instancesOf(
  services: readonly string[],
  { roles, copies }: { roles: "together" | "split"; copies: number },
): Instance[] {
  const numbers = Array.from({ length: copies }, (_, at) => at + 1);
  const processes = services.flatMap((service) =>
    rolesOf(service, roles).flatMap((role) =>
      numbers.map((copy) => ({
        name: [service, role, copy].filter((part) => part !== undefined).join("-"),
        workspace: `services/${service}`,
        role,
      })),
    ),
  );
  const gateways = numbers.map((copy) => ({
    name: `gateway-${copy}`,
    workspace: "gateway",
    role: undefined,
  }));
  return [...processes, ...gateways];
}

function rolesOf(service: string, roles: "together" | "split"): (string | undefined)[] {
  if (roles === "together") return [undefined];
  return ["api", "worker", "relay", ...(service === "notification" ? ["sender"] : [])];
}

/** Whether it serves calls of other processes. */
export const isCalled = ({ role }: Instance): boolean => role === undefined || role === "api";

/** @throws Error if the cluster has no process of this service */
export function requireInstance(instances: readonly Instance[], service: string): Instance {
  const found = instances.find(({ name }) => name.startsWith(`${service}-`));
  if (found === undefined) throw new Error(`The cluster has no process of ${service}.`);
  return found;
}
