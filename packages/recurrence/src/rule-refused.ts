/** Why a text is not a valid rule; caught in `readRule`. */
export class RuleRefused extends Error {}
