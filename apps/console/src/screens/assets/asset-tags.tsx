import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconTag } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../api/client.ts";
import { useSession } from "../../api/use-session.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { Ago } from "../../parts/ago.tsx";
import { ifMatch } from "../../parts/if-match.ts";
import { NoteField } from "../../parts/note-field.tsx";
import { PagedList } from "../../parts/paged-list.tsx";
import { CardLine, RecordCard } from "../../parts/record-card.tsx";
import { BindDialog } from "../../parts/tags/bind-dialog.tsx";
import { usePages } from "../../parts/use-pages.ts";

type Tag = Schemas["Tag"];

const CHANGED = ["/tags", "/assets"];

const textOf = ({ epc, code, id }: Tag): string => epc ?? code ?? id;

/** The labels and tags by which scanners and readers know an asset. */
export function AssetTags({ asset }: { asset: Schemas["Asset"] }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const [binding, setBinding] = useState(false);
  const [freed, setFreed] = useState<Tag>();
  const found = usePages<Tag>("/tags", asset.id, (query, signal) =>
    api.GET("/tags", { params: { query: { ...query, asset_id: asset.id } }, signal }),
  );
  const mayBind = may("edit") && asset.disposed === null;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h5">
          {t("asset.tags")}
        </Title>
        {mayBind && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTag size={15} aria-hidden />}
            onClick={() => setBinding(true)}
          >
            {t("tag.bind")}
          </Button>
        )}
      </Group>
      <PagedList found={found} empty={t("asset.noTags")}>
        {(tag) => (
          <RecordCard
            key={tag.id}
            title={textOf(tag)}
            actions={
              mayBind && (
                <Button
                  size="xs"
                  variant="subtle"
                  color="red"
                  aria-label={t("tag.freeName", { name: textOf(tag) })}
                  onClick={() => setFreed(tag)}
                >
                  {t("tag.free")}
                </Button>
              )
            }
          >
            <CardLine>
              {t(`tagType.${tag.type}`)}
              {tag.epc && tag.code && ` · ${tag.code}`}
              {tag.last_seen_at && (
                <>
                  {" · "}
                  {t("asset.lastSeen")} <Ago at={tag.last_seen_at} />
                </>
              )}
            </CardLine>
          </RecordCard>
        )}
      </PagedList>
      {binding && <BindDialog asset={asset} onClose={() => setBinding(false)} />}
      {freed && <FreeTag tag={freed} onClose={() => setFreed(undefined)} />}
    </Stack>
  );
}

function FreeTag({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const { t } = useTranslation();
  const [note, setNote] = useState("");
  return (
    <ActionDialog
      title={t("tag.freeTitle", { name: textOf(tag) })}
      submit={t("tag.free")}
      done={t("tag.freed", { name: textOf(tag) })}
      changes={CHANGED}
      danger
      onClose={onClose}
      action={() =>
        api.POST("/tags/{id}/decommission", {
          params: { path: { id: tag.id }, header: ifMatch(tag) },
          body: { note: note || null },
        })
      }
    >
      <Text size="sm">{t("tag.freeText")}</Text>
      <NoteField value={note} onChange={setNote} />
    </ActionDialog>
  );
}
