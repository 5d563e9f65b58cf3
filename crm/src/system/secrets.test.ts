import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ensureSecrets, keyNames, rotateKey } from './secrets.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crm-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const keysIn = (folder: string): Record<string, string> =>
  JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'));
const derivedFrom = (token: string, what: string) => createHmac('sha256', token).update(what);

describe('the keys of a system', () => {
  it('are generated once, differ, are independent of other secrets, and are readable only by their owner', () => {
    const folder = newFolder();
    const first = ensureSecrets({}, folder);
    expect(ensureSecrets({}, folder)).toEqual(first);
    const keys = keysIn(folder);
    expect(Object.keys(keys).sort()).toEqual([...keyNames, 'keys-id'].sort());
    expect(new Set(Object.values(keys)).size).toBe(keyNames.length + 1);
    expect(statSync(join(folder, 'keys.json')).mode & 0o077).toBe(0);
    const { operatorToken } = first;
    expect(first.claimKey).not.toBe(derivedFrom(operatorToken, 'key of the claim links').digest('base64url'));
  });

  it('remain what an older version derived from the operator token, even if that token changes later', () => {
    const folder = newFolder();
    const token = `crm_op_${'o'.repeat(43)}`;
    writeFileSync(join(folder, 'operator-token'), `${token}\n`);
    const { claimKey, subAccountKey, phoneCodeKey, serviceTokens } = ensureSecrets({}, folder);
    expect(claimKey).toBe(derivedFrom(token, 'key of the claim links').digest('base64url'));
    expect(subAccountKey).toBe(derivedFrom(token, 'tokens of sub-accounts').digest('hex'));
    expect(phoneCodeKey).toBe(derivedFrom(token, 'codes to confirm phone numbers').digest('hex'));
    const later = ensureSecrets({ OPERATOR_TOKEN: `crm_op_${'p'.repeat(43)}` }, folder);
    expect(later).toMatchObject({ claimKey, subAccountKey, phoneCodeKey, serviceTokens });
  });

  it('are replaced one at a time', () => {
    const folder = newFolder();
    const before = ensureSecrets({}, folder);
    rotateKey(folder, 'service-token-scheduling');
    const after = ensureSecrets({}, folder);
    expect(after.serviceTokens.scheduling).not.toBe(before.serviceTokens.scheduling);
    const { scheduling } = after.serviceTokens;
    expect(after).toEqual({ ...before, serviceTokens: { ...before.serviceTokens, scheduling } });
    expect(() => rotateKey(folder, 'another')).toThrow('No key is named "another"');
    expect(() => rotateKey(newFolder(), 'claim-key')).toThrow('does not exist');
  });

  it('are not replaced when their file is damaged', () => {
    const folder = newFolder();
    ensureSecrets({}, folder);
    writeFileSync(join(folder, 'keys.json'), '{"claim-key":');
    expect(() => ensureSecrets({}, folder)).toThrow('cannot be read');
    expect(readFileSync(join(folder, 'keys.json'), 'utf8')).toBe('{"claim-key":');
  });
});
