import { ApiError } from "../../api/problem.ts";

/** The server does not say why: the token was used, has ended, or never was one. */
export const isBadToken = (error: unknown): boolean =>
  error instanceof ApiError && error.fields.token !== undefined;
