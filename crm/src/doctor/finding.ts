/** What a look at one part of the system found. */
export interface Finding {
  readonly part: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
  /** How to mend it. */
  readonly mend?: string;
}

export const ok = (part: string, detail: string): Finding => ({ part, state: 'ok', detail });

export const warning = (part: string, detail: string, mend: string): Finding => ({
  part,
  state: 'warning',
  detail,
  mend,
});

export const problem = (part: string, detail: string, mend: string): Finding => ({
  part,
  state: 'problem',
  detail,
  mend,
});
