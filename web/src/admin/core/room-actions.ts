/* Creating and changing rooms. */
import type { Action } from './actions.svelte';
import type { Field } from './form';
import { api, need, type Schemas } from './operator.svelte';
import type { TaggedList } from './tagged.svelte';
import { word } from './words';

type Room = Schemas['AdminRoom'];
type Rooms = TaggedList<Room>;

const CHIPS_MAX = 1_000_000;
const [MULTIPLIER_MAX, WAIT_MAX_MS] = [1000, 600_000];

function commonFields(room: Partial<Room>, titles: readonly string[], fresh: boolean): Field[] {
  const optional = fresh;
  return [
    { kind: 'text', name: 'name', label: word('field.name'), max: 40, value: room.name },
    { kind: 'number', name: 'stake', label: word('field.stake'), min: 0, max: CHIPS_MAX, value: room.stake },
    {
      kind: 'number',
      name: 'reward',
      label: word('field.reward'),
      min: 0,
      max: CHIPS_MAX,
      value: room.reward,
    },
    {
      kind: 'number',
      name: 'multiplier_tenths',
      label: word('field.multiplier'),
      hint: word('hint.tenths'),
      min: 0,
      max: MULTIPLIER_MAX,
      value: room.multiplier_tenths,
      optional,
    },
    {
      kind: 'choice',
      name: 'title',
      label: word('field.title'),
      hint: word('hint.title'),
      of: titles,
      value: room.title ?? titles[0],
    },
    {
      kind: 'number',
      name: 'fill_wait_ms',
      label: word('field.fill_wait'),
      min: 0,
      max: WAIT_MAX_MS,
      value: room.fill_wait_ms,
      optional,
    },
    { kind: 'flag', name: 'bots', label: word('field.bots'), value: room.bots ?? true },
    { kind: 'flag', name: 'open', label: word('field.open'), value: room.open ?? true },
  ];
}

export function editRoomAction(room: Room, rooms: Rooms, titles: readonly string[]): Action {
  return {
    needs: 'change_room',
    name: 'act.edit',
    about: word('about.edit_room', { name: room.name }),
    patch: true,
    fields: commonFields(room, titles, false),
    run: (body) =>
      rooms.change(() =>
        need(
          api.PATCH('/v1/admin/rooms/{room}', {
            params: { path: { room: room.id } },
            body: body as Schemas['RoomChange'],
          }),
        ),
      ),
  };
}

export function openRoomAction(rooms: Rooms, titles: readonly string[]): Action {
  return {
    needs: 'open_room',
    name: 'act.open_room',
    about: word('about.open_room'),
    fields: [
      { kind: 'text', name: 'id', label: word('field.id'), hint: word('hint.id'), max: 32 },
      { kind: 'text', name: 'variant', label: word('field.variant'), max: 32, value: 'rummy51' },
      { kind: 'number', name: 'seats', label: word('field.seats'), min: 2, max: 6, value: 4 },
      ...commonFields({}, titles, true),
      {
        kind: 'choice',
        name: 'bot_level',
        label: word('field.bot_level'),
        of: ['easy', 'medium', 'strong', 'master'],
        optional: true,
      },
    ],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/rooms', { params: { header }, body: body as unknown as Schemas['RoomRequest'] }),
      ),
    done: () => void rooms.list.first(),
  };
}
