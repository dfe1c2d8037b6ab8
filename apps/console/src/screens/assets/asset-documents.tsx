import { Button, FileInput, Group, Stack, Textarea } from "@mantine/core";
import { IconDownload, IconPaperclip } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../api/client.ts";
import { saveFile } from "../../api/download.ts";
import { toForm } from "../../api/form.ts";
import { useSession } from "../../api/use-session.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { Ago } from "../../parts/ago.tsx";
import { ifMatch } from "../../parts/if-match.ts";
import { notifyFailed } from "../../parts/notify.tsx";
import { PagedList } from "../../parts/paged-list.tsx";
import { CardLine, RecordCard } from "../../parts/record-card.tsx";
import { usePages } from "../../parts/use-pages.ts";
import { useFormat } from "../../parts/workspace.ts";

type Document = Schemas["Attachment"];

const LIST = "/assets/{id}/attachments";

/** The files of an asset: manuals, invoices, certificates. */
export function AssetDocuments({ id }: { id: string }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const [adding, setAdding] = useState(false);
  const [deleted, setDeleted] = useState<Document>();
  const found = usePages<Document>(LIST, id, (query, signal) =>
    api.GET(LIST, { params: { path: { id }, query: { ...query, expand: ["user"] } }, signal }),
  );
  return (
    <Stack gap="sm">
      {may("edit") && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconPaperclip size={17} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            {t("document.add")}
          </Button>
        </Group>
      )}
      <PagedList found={found} empty={t("document.none")}>
        {(one) => <DocumentCard key={one.id} document={one} onDelete={() => setDeleted(one)} />}
      </PagedList>
      {adding && <AddDocument id={id} onClose={() => setAdding(false)} />}
      {deleted && <DeleteDocument document={deleted} onClose={() => setDeleted(undefined)} />}
    </Stack>
  );
}

function DocumentCard({ document, onDelete }: { document: Document; onDelete: () => void }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const format = useFormat();
  const [busy, setBusy] = useState(false);
  const { id, name, description, bytes, created_at: at, created_by_user: by } = document;
  const save = async (): Promise<void> => {
    setBusy(true);
    await saveFile(`/attachments/${id}`, name).catch(notifyFailed);
    setBusy(false);
  };
  return (
    <RecordCard
      title={name}
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={15} aria-hidden />}
            aria-label={t("document.downloadName", { name })}
            loading={busy}
            onClick={() => void save()}
          >
            {t("document.download")}
          </Button>
          {may("edit") && (
            <Button
              size="xs"
              variant="subtle"
              color="red"
              aria-label={t("document.deleteName", { name })}
              onClick={onDelete}
            >
              {t("action.delete")}
            </Button>
          )}
        </>
      }
    >
      {description && <CardLine>{description}</CardLine>}
      <CardLine>
        {format.bytes(bytes)} · <Ago at={at} />
        {by && ` · ${by.name}`}
      </CardLine>
    </RecordCard>
  );
}

function AddDocument({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const [description, setDescription] = useState("");
  return (
    <ActionDialog
      title={t("document.add")}
      submit={t("document.upload")}
      done={t("document.added", { name: file?.name ?? "" })}
      changes={[LIST]}
      disabled={file === null}
      onClose={onClose}
      action={() =>
        api.POST(LIST, {
          params: { path: { id } },
          body: { file: "" },
          bodySerializer: () => toForm({ description: description || null, file }),
        })
      }
    >
      <FileInput
        label={t("document.file")}
        description={t("document.fileHint")}
        placeholder={t("document.choose")}
        required
        clearable
        clearButtonProps={{ "aria-label": t("action.clear") }}
        value={file}
        onChange={setFile}
        data-autofocus
      />
      <Textarea
        label={t("asset.description")}
        autosize
        maxRows={6}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </ActionDialog>
  );
}

function DeleteDocument({ document, onClose }: { document: Document; onClose: () => void }) {
  const { t } = useTranslation();
  const { id, name } = document;
  return (
    <ActionDialog
      title={t("record.deleteTitle", { name })}
      submit={t("action.delete")}
      done={t("record.deleted", { name })}
      changes={[LIST]}
      danger
      onClose={onClose}
      action={() => api.DELETE("/attachments/{id}", { params: { path: { id }, header: ifMatch(document) } })}
    />
  );
}
