/** The result of checking one part of the system. */
export interface Finding {
  readonly part: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
  /** How to fix it. */
  readonly fix?: string;
}

export const ok = (part: string, detail: string): Finding => ({ part, state: 'ok', detail });

export const warning = (part: string, detail: string, fix: string): Finding => ({
  part,
  state: 'warning',
  detail,
  fix,
});

export const problem = (part: string, detail: string, fix: string): Finding => ({
  part,
  state: 'problem',
  detail,
  fix,
});
