import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Failed, Loading } from "../parts/states.tsx";
import { parseAlertSearch } from "../screens/alerts/alert-search.ts";
import { parseAssetPageSearch } from "../screens/assets/asset-page-search.ts";
import { parseAssetSearch } from "../screens/assets/asset-search.ts";
import { parseCheckoutSearch } from "../screens/checkouts/checkout-search.ts";
import { parseImportSearch } from "../screens/import/import-search.ts";
import { parseLabelSearch } from "../screens/labels/label-search.ts";
import { parseLiveSearch } from "../screens/live/live-search.ts";
import { parsePeopleSearch } from "../screens/people/people-search.ts";
import { parsePlaceSearch } from "../screens/places/place-search.ts";
import { parseScanSearch } from "../screens/scan/scan-search.ts";
import { parseSettingsSearch } from "../screens/settings/settings-search.ts";
import { type Area, loadTexts } from "../text/text.ts";
import { Root } from "./root.tsx";

const root = createRootRoute({ component: Root });

/** Each area is a chunk of its own. It is loaded when it is first opened, with the texts of the areas named. */
function lazy<T extends Record<string, unknown>, K extends keyof T>(
  texts: readonly Area[],
  load: () => Promise<T>,
  name: K,
) {
  return lazyRouteComponent(() => Promise.all([load(), loadTexts(texts)]).then(([module]) => module), name);
}

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazy(["home"], () => import("../screens/home/home.tsx"), "Home"),
});

const assets = createRoute({
  getParentRoute: () => root,
  path: "/assets",
  validateSearch: parseAssetSearch,
  component: lazy(["assets"], () => import("../screens/assets/assets.tsx"), "Assets"),
});

const asset = createRoute({
  getParentRoute: () => root,
  path: "/assets/$id",
  validateSearch: parseAssetPageSearch,
  component: lazy(["assets", "depreciation"], () => import("../screens/assets/asset.tsx"), "AssetScreen"),
});

const checkouts = createRoute({
  getParentRoute: () => root,
  path: "/checkouts",
  validateSearch: parseCheckoutSearch,
  component: lazy(["checkouts"], () => import("../screens/checkouts/checkouts.tsx"), "Checkouts"),
});

const labels = createRoute({
  getParentRoute: () => root,
  path: "/labels",
  validateSearch: parseLabelSearch,
  component: lazy(["labels"], () => import("../screens/labels/labels.tsx"), "Labels"),
});

const importing = createRoute({
  getParentRoute: () => root,
  path: "/import",
  validateSearch: parseImportSearch,
  component: lazy(["import"], () => import("../screens/import/import.tsx"), "Import"),
});

const places = createRoute({
  getParentRoute: () => root,
  path: "/places",
  validateSearch: parsePlaceSearch,
  component: lazy(["places"], () => import("../screens/places/places.tsx"), "Places"),
});

const people = createRoute({
  getParentRoute: () => root,
  path: "/people",
  validateSearch: parsePeopleSearch,
  component: lazy(["people", "depreciation"], () => import("../screens/people/people.tsx"), "People"),
});
const live = createRoute({
  getParentRoute: () => root,
  path: "/live",
  validateSearch: parseLiveSearch,
  component: lazy(["live", "alerts", "settings"], () => import("../screens/live/live.tsx"), "Live"),
});

const alerts = createRoute({
  getParentRoute: () => root,
  path: "/alerts",
  validateSearch: parseAlertSearch,
  component: lazy(["alerts", "settings"], () => import("../screens/alerts/alerts.tsx"), "Alerts"),
});

const scan = createRoute({
  getParentRoute: () => root,
  path: "/scan",
  validateSearch: parseScanSearch,
  component: lazy(["scan", "assets"], () => import("../screens/scan/scan.tsx"), "ScanScreen"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  validateSearch: parseSettingsSearch,
  component: lazy(
    ["settings", "password", "mfa", "ssoSettings"],
    () => import("../screens/settings/settings.tsx"),
    "Settings",
  ),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  component: lazy(
    ["invitation", "password"],
    () => import("../screens/invitation/invitation.tsx"),
    "Invitation",
  ),
});

const forgot = createRoute({
  getParentRoute: () => root,
  path: "/forgot",
  component: lazy(["password"], () => import("../screens/password/forgot.tsx"), "Forgot"),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  component: lazy(["password"], () => import("../screens/password/reset.tsx"), "Reset"),
});

const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: "/email",
  component: lazy(["password"], () => import("../screens/password/confirm-email.tsx"), "ConfirmEmail"),
});

const sso = createRoute({
  getParentRoute: () => root,
  path: "/sso",
  component: lazy(["sso"], () => import("../screens/sso/sso.tsx"), "Sso"),
});

const label = createRoute({
  getParentRoute: () => root,
  path: "/t/$code",
  component: lazy([], () => import("../screens/label/label.tsx"), "Label"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    assets,
    asset,
    labels,
    importing,
    places,
    people,
    live,
    alerts,
    checkouts,
    scan,
    settings,
    invitation,
    forgot,
    reset,
    confirmEmail,
    sso,
    label,
  ]),
  basepath: "/app",
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => <Failed error={error} retry={reset} />,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
