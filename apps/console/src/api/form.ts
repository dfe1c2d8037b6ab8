/** The fields of a request as multipart/form-data. Absent ones are left out. */
export function toForm(fields: Record<string, string | Blob | null | undefined>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null) form.append(name, value);
  return form;
}
