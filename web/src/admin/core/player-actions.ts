/* Actions on a player. */
import type { Action } from './actions.svelte';
import { REASON } from './fields';
import { api, need, type Schemas } from './operator.svelte';
import { word } from './words';

type Player = Pick<Schemas['AdminPlayer'], 'id' | 'nickname' | 'banned_at' | 'chat_muted_until' | 'deletion'>;
type Reason = Schemas['ReasonRequest'];
type Done = (player: Schemas['AdminPlayer']) => void;

const HOURS_A_DAY = 24;

export function banAction({ id, nickname }: Pick<Player, 'id' | 'nickname'>, done?: Done): Action {
  return {
    needs: 'ban',
    name: 'act.ban',
    about: word('about.ban', { nickname }),
    grave: true,
    fields: [REASON],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/players/{player}/ban', {
          params: { path: { player: id }, header },
          body: body as Reason,
        }),
      ),
    done,
  };
}

function unbanAction({ id, nickname }: Player, done: Done): Action {
  return {
    needs: 'unban',
    name: 'act.unban',
    about: word('about.unban', { nickname }),
    fields: [REASON],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/players/{player}/unban', {
          params: { path: { player: id }, header },
          body: body as Reason,
        }),
      ),
    done,
  };
}

export function muteAction({ id, nickname }: Pick<Player, 'id' | 'nickname'>, done?: Done): Action {
  return {
    needs: 'mute',
    name: 'act.mute',
    about: word('about.mute', { nickname }),
    fields: [
      {
        kind: 'number',
        name: 'hours',
        label: word('field.hours'),
        hint: word('hint.mute'),
        min: 0,
        max: 8760,
        value: HOURS_A_DAY,
      },
      REASON,
    ],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/players/{player}/mute', {
          params: { path: { player: id }, header },
          body: body as Schemas['MuteRequest'],
        }),
      ),
    done,
  };
}

function renameAction({ id, nickname }: Player, done: Done): Action {
  return {
    needs: 'rename',
    name: 'act.rename',
    about: word('about.rename', { nickname }),
    fields: [
      { kind: 'text', name: 'nickname', label: word('field.nickname'), max: 80, value: nickname },
      REASON,
    ],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/players/{player}/rename', {
          params: { path: { player: id }, header },
          body: body as Schemas['RenameRequest'],
        }),
      ),
    done,
  };
}

function noteAction({ id, nickname }: Player, done: Done): Action {
  return {
    needs: 'note',
    name: 'act.note',
    about: word('about.note', { nickname }),
    fields: [{ kind: 'text', name: 'note', label: word('field.note'), max: 500, lines: 3 }],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/players/{player}/notes', {
          params: { path: { player: id }, header },
          body: body as Schemas['PlayerNoteRequest'],
        }),
      ),
    done,
  };
}

/** If `other` is omitted, the operator enters the other player. */
export function separateAction(
  id: string,
  { other, separated = true, done }: { other?: string; separated?: boolean; done?: Done } = {},
): Action {
  return {
    needs: 'separate',
    name: separated ? 'act.separate' : 'act.reunite',
    about: word(separated ? 'about.separate' : 'about.reunite'),
    fields: [
      ...(other ? [] : [{ kind: 'text', name: 'other', label: word('field.other'), max: 19 } as const]),
      ...(other
        ? []
        : [{ kind: 'flag', name: 'separated', label: word('field.separated'), value: true } as const]),
      REASON,
    ],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/players/{player}/separations', {
          params: { path: { player: id }, header },
          body: { ...(other ? { other, separated } : {}), ...body } as Schemas['SeparationRequest'],
        }),
      ),
    done,
  };
}

function endSessionsAction({ id, nickname }: Player, done: Done): Action {
  return {
    needs: 'end_sessions',
    name: 'act.end_sessions',
    about: word('about.end_sessions', { nickname }),
    grave: true,
    fields: [REASON],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/players/{player}/sessions/end', {
          params: { path: { player: id }, header },
          body: body as Reason,
        }),
      ),
    done,
  };
}

function factorOffAction({ id, nickname }: Player, done: Done): Action {
  return {
    needs: 'factor_off',
    name: 'act.factor_off',
    about: word('about.factor_off', { nickname }),
    grave: true,
    fields: [REASON],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/players/{player}/factor/off', {
          params: { path: { player: id }, header },
          body: body as Reason,
        }),
      ),
    done,
  };
}

function deleteAction({ id, nickname }: Player, done: Done): Action {
  return {
    needs: 'delete',
    name: 'act.delete',
    about: word('about.delete', { nickname }),
    grave: true,
    fields: [REASON],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/players/{player}/deletion', {
          params: { path: { player: id }, header },
          body: body as Reason,
        }),
      ),
    done,
  };
}

function keepAction({ id, nickname }: Player, done: Done): Action {
  return {
    needs: 'keep',
    name: 'act.keep',
    about: word('about.keep', { nickname }),
    fields: [REASON],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/players/{player}/deletion/undo', {
          params: { path: { player: id }, header },
          body: body as Reason,
        }),
      ),
    done,
  };
}

/** All actions that apply in the player's state. */
export function playerActions(player: Player, done: Done): readonly Action[] {
  return [
    noteAction(player, done),
    muteAction(player, done),
    renameAction(player, done),
    separateAction(player.id, { done }),
    endSessionsAction(player, done),
    factorOffAction(player, done),
    player.deletion ? keepAction(player, done) : deleteAction(player, done),
    player.banned_at ? unbanAction(player, done) : banAction(player, done),
  ];
}
