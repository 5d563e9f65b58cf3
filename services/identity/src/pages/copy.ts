import { createHash } from 'node:crypto';
import { html, scriptElement } from '@crm/html';

/** Without this script the buttons stay hidden; a click still selects the whole text. */
const script = `if (navigator.clipboard) {
  for (const button of document.querySelectorAll('[data-copies]')) {
    const text = document.getElementById(button.dataset.copies);
    const say = (words) => { button.nextElementSibling.textContent = words; };
    button.hidden = false;
    button.addEventListener('click', () => navigator.clipboard.writeText(text.textContent).then(
      () => say('Copied.'),
      () => { getSelection().selectAllChildren(text); say('Selected, but this browser does not allow copying it.'); },
    ));
  }
}
`;

export const copyScript = scriptElement(script);

/** The policy that allows this script and no other. */
export const copyPolicy = `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`;

interface Copied {
  /** Unique on the page. */
  readonly id: string;
  /** As in the middle of a sentence, such as `client id`. */
  readonly label: string;
  readonly text: string;
}

/** A text that a click selects, and a button that copies it where scripts run. */
export const copyable = ({ id, label, text }: Copied) => html`<div class="copyable">
<code class="secret" id="${id}" aria-label="The ${label}">${text}</code>
<button type="button" data-copies="${id}" aria-label="Copy the ${label}" hidden>Copy</button>
<span class="muted small" role="status"></span>
</div>`;
