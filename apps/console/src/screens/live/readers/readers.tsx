import { Button, Group, SegmentedControl } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../../api/client.ts";
import { PagedList } from "../../../parts/paged-list.tsx";
import { type Secret, SecretDialog } from "../../../parts/secret-dialog.tsx";
import { usePages } from "../../../parts/use-pages.ts";
import { type LiveSearch, type Shown, shown } from "../live-search.ts";
import { ActivityDrawer } from "./activity-drawer.tsx";
import { type Reader, ReaderCard, type ReaderDialog } from "./reader-card.tsx";
import { RevokeReader, RotateReader } from "./reader-dialogs.tsx";
import { ReaderForm } from "./reader-form.tsx";

type Open = { dialog: "create" } | { dialog: ReaderDialog; reader: Reader };

/** When a reader was heard is not in the feed. */
const EVERY_MS = 30_000;

const filters = {
  active: { status: "active" },
  silent: { silent: true },
  revoked: { status: "revoked" },
} as const;

/** The readers, and whether they are well. */
export function Readers({ search }: { search: LiveSearch }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: "/live" });
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState<Secret>();
  const { reader, range = "hour", ...others } = search;
  const { show = "active" } = others;
  const found = usePages(
    "/readers",
    show,
    (page, signal) =>
      api.GET("/readers", {
        params: { query: { ...page, ...filters[show], expand: ["zone", "location"] } },
        signal,
      }),
    EVERY_MS,
  );
  const onClose = () => setOpen(undefined);
  const onSecret = (title: string, text: string) => setSecret({ title, label: t("readers.secret"), text });
  return (
    <>
      <Group justify="space-between" mb="sm" gap="xs">
        <SegmentedControl
          aria-label={t("readers.show")}
          data={shown.map((value) => ({ value, label: t(`readers.${value}`) }))}
          value={show}
          onChange={(value) =>
            void navigate({ search: { tab: "readers", show: value as Shown }, replace: true })
          }
        />
        <Button
          leftSection={<IconPlus size={17} aria-hidden />}
          onClick={() => setOpen({ dialog: "create" })}
        >
          {t("readers.new")}
        </Button>
      </Group>
      <PagedList found={found} empty={t("readers.none")}>
        {(reader) => (
          <ReaderCard
            key={reader.id}
            reader={reader}
            onActivity={() => void navigate({ search: { ...search, reader: reader.id } })}
            onOpen={(dialog) => setOpen({ dialog, reader })}
          />
        )}
      </PagedList>
      {open?.dialog === "create" && <ReaderForm onSecret={onSecret} onClose={onClose} />}
      {open?.dialog === "edit" && <ReaderForm reader={open.reader} onSecret={onSecret} onClose={onClose} />}
      {reader !== undefined && (
        <ActivityDrawer
          id={reader}
          range={range}
          onRange={(next) => void navigate({ search: { ...search, range: next }, replace: true })}
          onClose={() => void navigate({ search: others, replace: true })}
        />
      )}
      {open?.dialog === "rotate" && (
        <RotateReader reader={open.reader} onSecret={onSecret} onClose={onClose} />
      )}
      {open?.dialog === "revoke" && <RevokeReader reader={open.reader} onClose={onClose} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
