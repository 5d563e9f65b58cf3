import { describe, expect, it } from 'vitest';
import { type AlertFacts, callWords, emailWords, textWords } from './alert-words.ts';
import { remindAt } from './remind-at.ts';

const facts: AlertFacts = {
  kind: 'Reminder',
  assignee: { first_name: 'Ben', last_name: 'Miller' },
  owner: { first_name: 'Anna', last_name: null },
  contact: { first_name: 'Carla', last_name: 'Jones' },
  description: 'Call about\nthe viewing',
  notes: 'Gate 5',
  due_local: '2026-03-02T09:00:00',
  timezone: 'America/New_York',
  is_all_day: false,
};

describe('an alert of a task', () => {
  it('says who, what, when and with whom', () => {
    expect(emailWords(facts)).toEqual({
      subject: 'Reminder: Call about the viewing',
      text: `Hello Ben Miller, this task is due.

What: Call about
the viewing
When: 2026-03-02 09:00 (America/New_York)
Contact: Carla Jones
From: Anna
Notes: Gate 5
`,
    });
    expect(textWords(facts)).toBe(
      'Reminder: Call about the viewing, with Carla Jones, 2026-03-02 09:00 (America/New_York) (STOP ends texts)',
    );
    expect(callWords({ ...facts, kind: 'Assignment', contact: undefined, is_all_day: true })).toBe(
      'Hello Ben Miller, Anna assigned a task to you. Call about the viewing, 2026-03-02, all day.',
    );
  });

  it('has a one-line subject and a short text, whatever the description contains', () => {
    const hostile = { ...facts, description: `a\r\nBcc: all@example.com\u0000${'x'.repeat(2_000)}` };
    expect(emailWords(hostile).subject).toMatch(/^Reminder: a Bcc: [^\p{C}]*…$/u);
    expect(textWords(hostile).length).toBeLessThan(400);
  });
});

describe('the reminder of a task', () => {
  const task = {
    id: 1,
    due_at: '2026-03-02T05:00:00Z',
    due_local: '2026-03-02T00:00:00',
    timezone: 'America/New_York',
    is_all_day: true,
    action_type: 'Email Contact',
    assigned_user_id: 1,
  } as const;

  it('is due with the task, or at eight in the morning, local time, of an all-day task', () => {
    expect(remindAt({ ...task, is_all_day: false })).toBe(task.due_at);
    expect(remindAt(task)).toBe('2026-03-02T13:00:00Z');
    expect(remindAt({ ...task, due_local: '2026-07-02T23:30:00' })).toBe('2026-07-02T12:00:00Z');
  });
});
