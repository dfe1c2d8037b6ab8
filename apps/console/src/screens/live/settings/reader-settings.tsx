import { queries } from "../../../api/client.ts";
import { Failed, Loading } from "../../../parts/states.tsx";
import { ReaderSettingsForm } from "./reader-settings-form.tsx";

/** The settings of the workspace for all its readers. */
export function ReaderSettings() {
  // A form shows the newest values when it is opened.
  const found = queries.useQuery("get", "/reader-settings", {}, { staleTime: 0 });
  if (found.isPending) return <Loading />;
  if (found.isError) return <Failed error={found.error} retry={() => void found.refetch()} />;
  return <ReaderSettingsForm settings={found.data} />;
}
