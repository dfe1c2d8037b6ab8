import { getRouteApi, Navigate } from "@tanstack/react-router";
import { Failed, Loading } from "../../parts/states.tsx";
import { useLookup } from "../../parts/use-lookup.ts";

const route = getRouteApi("/t/$code");

/** The address on a label: it opens the asset, after the sign-in if there is no session yet. */
export function Label() {
  const { code } = route.useParams();
  const found = useLookup(code);
  if (found.isPending) return <Loading />;
  if (found.isError) return <Failed error={found.error} retry={() => void found.refetch()} />;
  // Scan can bind it.
  if (found.data === null) return <Navigate to="/scan" search={{ code }} replace />;
  return <Navigate to="/assets/$id" params={{ id: found.data.id }} replace />;
}
