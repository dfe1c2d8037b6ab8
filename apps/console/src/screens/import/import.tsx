import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../api/problem.ts";
import { useSession } from "../../api/use-session.ts";
import { Page } from "../../parts/page.tsx";
import { Failed } from "../../parts/states.tsx";
import { ChooseFile } from "./choose-file.tsx";
import { ImportState } from "./import-state.tsx";
import { MapColumns } from "./map-columns.tsx";
import { useImportFile } from "./use-import-file.ts";

const route = getRouteApi("/import");

/** A spreadsheet becomes assets: choose the file, say what its columns are, check it, import it. */
export function Import() {
  const { t } = useTranslation();
  const { may } = useSession();
  const search = route.useSearch();
  const file = useImportFile();
  if (!may("admin")) return <Failed error={new ApiError(403, "FORBIDDEN", "")} />;
  return (
    <Page title={t("importing.title")} subtitle={t("importing.subtitle")}>
      {search.id !== undefined && (
        <ImportState key={search.id} id={search.id} rows={search.rows ?? "rejected"} file={file} />
      )}
      {search.id === undefined && file.opened && <MapColumns file={file} opened={file.opened} />}
      {search.id === undefined && !file.opened && <ChooseFile file={file} />}
    </Page>
  );
}
