import { palette } from '@crm/html';

export const style = `${palette}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
header, main { max-width: 52rem; margin: 0 auto; padding: 1rem; }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: baseline; }
h1 { font-size: 1.25rem; margin: 0; flex: 1 1 auto; }
h2 { font-size: 1rem; margin: 0.25rem 0 0; overflow-wrap: anywhere; }
a { color: var(--accent); }
ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.75rem; }
article { background: var(--surface); border: 1px solid var(--line); border-radius: 0.6rem; padding: 0.9rem 1rem; }
.facts { margin: 0; color: var(--muted); font-size: 0.875rem; overflow-wrap: anywhere; }
.kind { font-weight: 600; color: var(--accent); }
pre { margin: 0.6rem 0 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
details { margin-top: 0.6rem; }
summary { cursor: pointer; color: var(--accent); }
iframe { width: 100%; height: 24rem; margin-top: 0.5rem; border: 1px solid var(--line); border-radius: 0.4rem; background: #fff; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.75rem 0 0; }
input { flex: 1 1 12rem; min-width: 0; }
input, button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.5rem 0.75rem; }
input::placeholder { color: var(--muted); opacity: 1; }
button { cursor: pointer; min-width: 2.75rem; min-height: 2.75rem; }
button:hover { border-color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;
