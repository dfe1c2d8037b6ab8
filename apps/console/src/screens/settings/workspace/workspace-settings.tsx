import { useTranslation } from "react-i18next";
import { queries } from "../../../api/client.ts";
import { Failed, Loading } from "../../../parts/states.tsx";
import { WorkspaceForm } from "./workspace-form.tsx";

/** The settings of the workspace. */
export function WorkspaceSettings() {
  const { i18n } = useTranslation();
  // A form shows the newest values when it is opened.
  const found = queries.useQuery("get", "/workspace", {}, { staleTime: 0 });
  if (found.isPending) return <Loading />;
  if (found.isError) return <Failed error={found.error} retry={() => void found.refetch()} />;
  return <WorkspaceForm key={found.data.id} workspace={found.data} language={i18n.language} />;
}
