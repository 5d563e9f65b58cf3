// Checks the committed document against Spectral's rules for OpenAPI. Redocly's rules are checked in a test of the gateway.
import { readFileSync } from 'node:fs';
import core, { type RulesetDefinition } from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';

const spectral = new core.Spectral();
// Its declared type is narrower than what it accepts.
spectral.setRuleset({ extends: rulesets.oas as RulesetDefinition, rules: {} });
const text = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
const findings = await spectral.run(new core.Document(text, parsers.Json, 'gateway/openapi.json'));
for (const { code, path, message } of findings)
  process.stderr.write(`${code}: ${path.join('.')}: ${message}\n`);
if (findings.length > 0) process.exitCode = 1;
