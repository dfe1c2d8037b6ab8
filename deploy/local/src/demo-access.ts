import { z } from "zod";

export const accessSchema = z.object({
  email: z.string(),
  password: z.string(),
  workspace_id: z.string(),
  api_key: z.string(),
});

/** The credentials of one demo workspace. Its API key has every scope. */
export type DemoAccess = z.infer<typeof accessSchema>;
