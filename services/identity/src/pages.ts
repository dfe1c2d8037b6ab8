/** The pages of the console that take mailed tokens. */
export const resetPage = (publicUrl: string): string => `${publicUrl}/app/reset`;
export const emailPage = (publicUrl: string): string => `${publicUrl}/app/email`;
