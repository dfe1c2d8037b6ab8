/** Whether an error of the server has this code. See error_codes.yml of MongoDB. */
export const hasErrorCode = (error: unknown, code: number): boolean =>
  error instanceof Error && "code" in error && error.code === code;
