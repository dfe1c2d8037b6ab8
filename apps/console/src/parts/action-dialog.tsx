import { Alert, Button, Group, Modal, Stack } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { invalidate } from "../api/client.ts";
import { notifyDone, reasonOf } from "./notify.tsx";

type Props = {
  title: string;
  /** The text of the button. */
  submit: string;
  /** Is shown when it is done. */
  done: string;
  /** The paths whose answers the action changes. */
  changes: readonly string[];
  danger?: boolean;
  disabled?: boolean;
  size?: "lg";
  action: () => Promise<unknown>;
  onClose: () => void;
  children?: ReactNode;
};

/** A question with a button. It stays open, with what was typed, when the action fails. */
export function ActionDialog(props: Props) {
  const { title, submit, done, changes, danger, disabled, size, action, onClose, children } = props;
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await action();
      notifyDone(done);
      invalidate(...changes);
      onClose();
    } catch (error) {
      setFailure(reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} size={size} classNames={{ title: "wrap" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Stack>
          {children}
          {failure && (
            <Alert color="red" role="alert" style={{ whiteSpace: "pre-line" }}>
              {failure}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("action.cancel")}
            </Button>
            <Button type="submit" color={danger ? "red" : undefined} disabled={disabled} loading={busy}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
