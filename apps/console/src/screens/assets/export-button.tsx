import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../api/download.ts";
import { notifyFailed } from "../../parts/notify.tsx";
import { type AssetSearch, assetQuery } from "./asset-search.ts";

/** Saves the assets of the search as CSV. */
export function ExportButton({ search }: { search: AssetSearch }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    const { sort: _, ...filter } = assetQuery(search);
    await saveFile(`/export/register.csv?${new URLSearchParams(filter)}`, "assets.csv").catch(notifyFailed);
    setBusy(false);
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={17} aria-hidden />}
      loading={busy}
      onClick={() => void save()}
    >
      {t("assets.export")}
    </Button>
  );
}
