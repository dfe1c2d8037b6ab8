import { z } from "zod";

export const accessSchema = z.object({
  email: z.string(),
  password: z.string(),
  workspace_id: z.string(),
  api_key: z.string(),
});

/** One workspace's way in; its API key holds every scope. */
export type DemoAccess = z.infer<typeof accessSchema>;
