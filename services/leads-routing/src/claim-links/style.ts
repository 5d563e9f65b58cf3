/** For the screen of a phone first, in light and dark. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f6f3, #16181b);
  --card: light-dark(#ffffff, #1f2226);
  --ink: light-dark(#1d1f21, #e9e9e6);
  --quiet: light-dark(#5b6067, #a3a9b1);
  --line: light-dark(#dcdcd6, #34383e);
  --button: light-dark(#0b5cad, #7db7f5);
  --on-button: light-dark(#ffffff, #10151b);
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--ground); color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 0 auto; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.2; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
dl { margin: 0 0 1.25rem; }
dl div { display: flex; gap: 1rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
dt { flex: 0 0 5.5rem; color: var(--quiet); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
button { width: 100%; min-height: 3.25rem; border: 0; border-radius: 0.6rem; background: var(--button); color: var(--on-button); font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
`;
