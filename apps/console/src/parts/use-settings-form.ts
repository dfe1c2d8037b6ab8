import { useState } from "react";
import { useTranslation } from "react-i18next";
import { invalidate } from "../api/client.ts";
import { ApiError } from "../api/problem.ts";
import { notifyDone, reasonOf } from "./notify.tsx";
import { useRebasedForm } from "./use-rebased-form.ts";

type Answer<R> = Promise<{ data?: R | undefined }>;

type Options<R, V> = {
  valuesOf: (record: R) => V;
  /** Saves what was sent from the form. */
  change: (sent: V, base: R) => Answer<R>;
  read: () => Answer<R>;
  /** The text when it is saved. */
  saved: string;
  /** What shows the record, too. */
  paths: readonly string[];
};

/** A form of settings on a page. What was typed stays when a request fails, also after a change by somebody else. */
export function useSettingsForm<R, V extends Record<string, unknown>>(record: R, options: Options<R, V>) {
  const { valuesOf, change, read, saved, paths } = options;
  const { t } = useTranslation();
  const { form, base, rebase } = useRebasedForm(record, valuesOf);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  const save = async (sent: V): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { data } = await change(sent, base);
      if (data !== undefined) rebase(data, sent);
      notifyDone(saved);
      invalidate(...paths);
    } catch (error) {
      await explain(error);
    } finally {
      setBusy(false);
    }
  };

  const explain = async (error: unknown): Promise<void> => {
    if (error instanceof ApiError && error.status === 412) {
      const { data } = await read();
      if (data !== undefined) rebase(data);
      setFailure(t("record.changed"));
      return;
    }
    if (error instanceof ApiError) form.setErrors(error.fields);
    setFailure(reasonOf(error));
  };

  return { form, base, busy, failure, submit: form.onSubmit((all) => void save(all)) };
}
