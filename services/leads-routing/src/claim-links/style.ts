import { palette } from '@crm/html';

/** For the screen of a phone first, in light and dark. */
export const style = `${palette}
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--ground); color: var(--text); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 0 auto; padding: 1.25rem; background: var(--surface); border: 1px solid var(--line); border-radius: 0.75rem; }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.2; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
dl { margin: 0 0 1.25rem; }
dl div { display: flex; gap: 1rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
dt { flex: 0 0 5.5rem; color: var(--muted); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
blockquote { margin: 0 0 1.25rem; padding: 0.75rem 1rem; background: var(--sunken); border-left: 3px solid var(--accent); border-radius: 0.25rem; white-space: pre-line; overflow-wrap: anywhere; }
form + form { margin-top: 0.75rem; }
.actions { display: grid; gap: 0.75rem; }
button, .button { display: flex; align-items: center; justify-content: center; width: 100%; min-height: 3.25rem; padding: 0.5rem 1rem; border: 1px solid transparent; border-radius: 0.6rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; text-align: center; text-decoration: none; overflow-wrap: anywhere; }
button.quiet, .button.quiet { background: transparent; border-color: var(--control-line); color: var(--text); }
button:focus-visible, .button:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
`;
