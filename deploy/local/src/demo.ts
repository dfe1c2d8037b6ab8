import type { Environment, Progress } from "./types.ts";

/** One workspace's way in, as it stands in demo.json. */
export type DemoAccess = {
  email: string;
  password: string;
  workspace_id: string;
  /** Holds every scope. */
  api_key: string;
};

/** The content of demo.json. */
export type Demo = DemoAccess & {
  base_url: string;
  /** A second workspace, to see that neither finds anything of the other. */
  other: DemoAccess & { base_url: string };
};

export type DemoOptions = {
  gatewayUrl: string;
  dataDirectory: string;
  /** The running services and their settings, for identity's operator commands. */
  services: Record<string, { env: Environment }>;
  progress: Progress;
};
export async function seedDemo(_options: DemoOptions): Promise<Demo> {
  throw new Error("later");
}
