import { Button, Group, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { saveBlob } from "../../api/download.ts";
import { notifyFailed } from "../../parts/notify.tsx";
import { useFormat } from "../../parts/workspace.ts";
import { ImportFailure } from "./map-columns.tsx";
import { readFailing } from "./read-failing.ts";
import type { ImportFile } from "./use-import-file.ts";

type Props = { record: Schemas["Import"]; file: ImportFile };

/** The next actions for an import or a check that has ended. Some need the file, which is gone after a reload. */
export function ImportActions({ record, file }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate({ from: "/import" });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const { id, counts, dry_run, status } = record;
  const hasFile = file.started.has(id);
  const good = counts.created + counts.updated + counts.unchanged;
  const isGood = dry_run && status !== "failed" && good > 0;

  const run = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await navigate({ search: { id: await file.run(id) } });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Group gap="xs">
        {isGood && hasFile && (
          <Button loading={busy} onClick={() => void run()}>
            {t(counts.rejected > 0 ? "importing.importGood" : "importing.importAll", {
              count: good,
              shown: format.number(good),
            })}
          </Button>
        )}
        {hasFile && counts.rejected > 0 && <SaveFailing id={id} file={file} />}
        {hasFile && (dry_run || status === "failed") && (
          <Button variant="default" onClick={() => void navigate({ search: {} })}>
            {t("importing.back")}
          </Button>
        )}
        {!dry_run && status !== "failed" && (
          <Button renderRoot={(props) => <Link {...props} to="/assets" search={{ sort: "-id" }} />}>
            {t("importing.toAssets")}
          </Button>
        )}
        {!(hasFile && dry_run) && (
          <Button
            variant="default"
            onClick={() => {
              file.close();
              void navigate({ search: {} });
            }}
          >
            {t(dry_run ? "importing.otherFile" : "importing.another")}
          </Button>
        )}
      </Group>
      {!hasFile && (dry_run || counts.rejected > 0) && (
        <Text size="sm" c="dimmed">
          {t("importing.chooseAgain")}
        </Text>
      )}
      <ImportFailure error={failure} />
    </>
  );
}

function SaveFailing({ id, file }: { id: string; file: ImportFile }) {
  const { t } = useTranslation();
  const [read, setRead] = useState<number>();
  const reading = useRef<AbortController>(undefined);
  // 100,000 rows take more than a minute: who leaves the page does not wait for them.
  useEffect(() => () => reading.current?.abort(), []);
  const save = async (): Promise<void> => {
    setRead(0);
    reading.current = new AbortController();
    const { signal } = reading.current;
    try {
      const reasons = await readFailing(id, setRead, signal);
      const content = await file.csv.current?.failing(reasons, t("importing.reason"));
      const name = (file.file?.name ?? "import").replace(/\.[^.]*$/, "");
      if (content) saveBlob(content, `${name}-${t("importing.reason")}.csv`);
    } catch (error) {
      if (!signal.aborted) notifyFailed(error);
    } finally {
      setRead(undefined);
    }
  };
  return (
    <Button
      variant="outline"
      leftSection={<IconDownload size={17} aria-hidden />}
      disabled={read !== undefined}
      onClick={() => void save()}
    >
      {read === undefined ? t("importing.save") : t("importing.saving", { count: read })}
    </Button>
  );
}
