/** Pages for people without a session, by the first part of their path below /app. */
const PUBLIC = ["invitation", "forgot", "reset", "email", "sso"];

export const isPublicPage = (pathname: string): boolean => PUBLIC.includes(pathname.split("/")[1] ?? "");
