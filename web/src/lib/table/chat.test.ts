import { describe, expect, it, vi } from 'vitest';
import { Chat, merged, wordsOf, type Said } from './chat.svelte';

const at = '2026-11-20T19:31:00.000Z';
const said = (id: string): Said => ({ id, seat: 1, text: id, emote: false, at: 0 });

describe('what is said', () => {
  it('comes in order and once', () => {
    expect(merged([said('9'), said('12')], [said('10'), said('9')]).map((s) => s.id)).toEqual([
      '9',
      '10',
      '12',
    ]);
  });
  it('has words for emotes, unknown ones too', () => {
    expect(wordsOf('well_played')).toBe('Well played!');
    expect(wordsOf('high_five')).toBe('high five');
  });
});

describe('the chat of a table', () => {
  it('counts what others said while the panel is shut', () => {
    vi.useFakeTimers();
    const chat = new Chat();
    chat.heard({ id: '1', seat: 2, text: 'Hi', at }, 0);
    chat.heard({ id: '1', seat: 2, text: 'Hi', at }, 0);
    chat.heard({ id: '2', seat: 0, name: 'hello', at }, 0);
    expect([chat.unread, chat.said.length, chat.bubbles.length]).toEqual([1, 2, 2]);
    chat.show(true);
    chat.heard({ id: '3', seat: 2, text: 'So?', at }, 0);
    expect(chat.unread).toBe(0);
    expect(chat.bubbles.map((b) => b.text)).toEqual(['Hello!', 'So?']);
    chat.before([{ id: '0', seat: 1, kind: 'emote', text: 'thanks', at }]);
    expect(chat.said[0]).toMatchObject({ text: 'Thanks!', emote: true });
    vi.runAllTimers();
    expect(chat.bubbles).toEqual([]);
    vi.useRealTimers();
  });
});
