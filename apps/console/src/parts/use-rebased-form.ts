import { useForm } from "@mantine/form";
import { useState } from "react";
import { rebased } from "./rebased.ts";

/** A form of a record that others may change meanwhile. `base` is the record that was read: If-Match compares its rev. */
export function useRebasedForm<R, V extends Record<string, unknown>>(record: R, valuesOf: (record: R) => V) {
  const [base, setBase] = useState(record);
  const form = useForm<V>({ initialValues: valuesOf(record) });
  /** Shows the record as it is now, and above it what was typed since the form had the values `before`. */
  const rebase = (now: R, before: V = valuesOf(base)): void => {
    form.setValues(rebased(form.getValues(), before, valuesOf(now)));
    setBase(now);
  };
  return { form, base, rebase };
}
