import { ActionIcon, Button, Group, NavLink, Popover, ScrollArea, Text, TextInput } from "@mantine/core";
import { IconBookmark, IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import type { AssetSearch } from "./asset-search.ts";
import { parseViews, type SavedView, withView } from "./saved-views.ts";

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener("storage", listener);
  return () => window.removeEventListener("storage", listener);
};

/** The views of the user in this browser. The API has no place for them. */
function useSavedViews(): [SavedView[], (views: SavedView[]) => void] {
  const { session } = useSession();
  const key = `asset-register.views.${session?.user.id}`;
  const stored = useSyncExternalStore(subscribe, () => localStorage.getItem(key));
  const save = (views: SavedView[]): void => {
    localStorage.setItem(key, JSON.stringify(views));
    // The browser tells only the other tabs.
    window.dispatchEvent(new StorageEvent("storage", { key }));
  };
  return [parseViews(stored), save];
}

/** Searches with a name: open one, keep the present one, forget one. */
export function SavedViewsList({ search }: { search: AssetSearch }) {
  const { t } = useTranslation();
  const [views, save] = useSavedViews();
  const [dialog, setDialog] = useState<{ forget?: SavedView }>();
  const [opened, setOpened] = useState(false);
  const open = (next: { forget?: SavedView }): void => {
    setOpened(false);
    setDialog(next);
  };
  const close = (): void => setDialog(undefined);
  return (
    <>
      <Popover position="bottom-end" width={280} trapFocus opened={opened} onChange={setOpened}>
        <Popover.Target>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t("assets.views")}
            onClick={() => setOpened(!opened)}
          >
            <IconBookmark size={18} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label={t("assets.views")} p="xs">
          {views.length === 0 && (
            <Text size="sm" c="dimmed" mb="xs">
              {t("assets.noViews")}
            </Text>
          )}
          <ScrollArea.Autosize mah={320} mb="xs">
            {views.map((view) => (
              <Group key={view.name} gap={2} wrap="nowrap">
                <NavLink
                  miw={0}
                  label={view.name}
                  classNames={{ label: "cut" }}
                  onClick={() => setOpened(false)}
                  renderRoot={(link) => <Link {...link} to="/assets" search={view.search} />}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t("assets.forgetView", { name: view.name })}
                  onClick={() => open({ forget: view })}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Group>
            ))}
          </ScrollArea.Autosize>
          <Button fullWidth size="xs" variant="default" onClick={() => open({})}>
            {t("assets.saveView")}
          </Button>
        </Popover.Dropdown>
      </Popover>
      {dialog?.forget && (
        <ActionDialog
          title={t("record.deleteTitle", { name: dialog.forget.name })}
          submit={t("action.delete")}
          done={t("record.deleted", { name: dialog.forget.name })}
          changes={[]}
          danger
          onClose={close}
          action={async () => save(views.filter(({ name }) => name !== dialog.forget?.name))}
        />
      )}
      {dialog && !dialog.forget && (
        <SaveView onClose={close} onSave={(name) => save(withView(views, { name, search }))} />
      )}
    </>
  );
}

function SaveView({ onClose, onSave }: { onClose: () => void; onSave: (name: string) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const name = text.trim();
  return (
    <ActionDialog
      title={t("assets.saveView")}
      submit={t("action.save")}
      done={t("record.saved", { name })}
      changes={[]}
      disabled={name === ""}
      onClose={onClose}
      action={async () => onSave(name)}
    >
      <TextInput
        label={t("record.name")}
        description={t("assets.viewHint")}
        required
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
    </ActionDialog>
  );
}
