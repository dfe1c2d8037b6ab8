import { ApiError } from "../api/problem.ts";

type Form = { clearErrors: () => void; setErrors: (errors: Record<string, string>) => void };

/** Names the field of an error at the field, and at the list or group that it is in: "antennas.0.name" also at "antennas". */
export async function showAtFields<T>(form: Form, request: () => Promise<T>): Promise<T> {
  form.clearErrors();
  try {
    return await request();
  } catch (error) {
    if (error instanceof ApiError)
      form.setErrors(
        Object.fromEntries(
          Object.entries(error.fields).flatMap(([field, text]) => [
            [field.split(/[.[]/, 1)[0] ?? field, text],
            [field, text],
          ]),
        ),
      );
    throw error;
  }
}
