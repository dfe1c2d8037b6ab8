import { Outlet, useLocation } from "@tanstack/react-router";
import { isPublicPage } from "./public-pages.ts";
import { Shell } from "./shell.tsx";

/** Pages for people without a session have no navigation. */
export function Root() {
  const { pathname } = useLocation();
  return isPublicPage(pathname) ? <Outlet /> : <Shell />;
}
