import { design } from '@crm/html';

export const style = `${design}
main { gap: 0.75rem; max-width: 52rem; }
.top { max-width: 52rem; }
.top h1 { flex: 1 1 auto; font-size: 1.25rem; }
h2 { margin-top: 0.35rem; font-size: 1rem; }
ol { display: grid; gap: 0.75rem; margin: 0; padding: 0; list-style: none; }
article { padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); box-shadow: var(--shadow); }
.facts { display: block; color: var(--muted); font-size: 0.875rem; }
.kind { font-weight: 600; color: var(--accent); }
pre { margin-top: 0.6rem; font: inherit; white-space: pre-wrap; }
details { margin-top: 0.6rem; }
iframe { width: 100%; height: 24rem; border: 1px solid var(--line); border-radius: 10px; background: #fff; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 0.75rem; }
form input:not([type="hidden"]) { flex: 1 1 12rem; width: auto; min-width: 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;
