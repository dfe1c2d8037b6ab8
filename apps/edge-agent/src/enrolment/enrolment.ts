import { z } from "zod";

const platformReader = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  secret: z.string(),
});

/** What the platform gave this agent. */
export const enrolmentSchema = z.object({
  agent: z.object({ id: z.string(), name: z.string() }),
  secret: z.string(),
  readers: z.array(platformReader),
});

export type Enrolment = z.output<typeof enrolmentSchema>;
