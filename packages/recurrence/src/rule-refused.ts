/** Why a text is no rule; does not leave `readRule`. */
export class RuleRefused extends Error {}
