/* Actions on a player. */
import type { Act } from './acts.svelte';
import { REASON } from './fields';
import { api, need, type Schemas } from './operator.svelte';
import { word } from './words';

type Player = Pick<Schemas['AdminPlayer'], 'id' | 'nickname' | 'banned_at' | 'chat_muted_until' | 'deletion'>;
type Reason = Schemas['ReasonRequest'];
type Done = (player: Schemas['AdminPlayer']) => void;

const HOURS_A_DAY = 24;

export function banAct({ id, nickname }: Pick<Player, 'id' | 'nickname'>, done?: Done): Act {
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

function unbanAct({ id, nickname }: Player, done: Done): Act {
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

export function muteAct({ id, nickname }: Pick<Player, 'id' | 'nickname'>, done?: Done): Act {
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

function renameAct({ id, nickname }: Player, done: Done): Act {
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

function noteAct({ id, nickname }: Player, done: Done): Act {
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

/** `other` given: the action is about a pair; otherwise the operator names the other player. */
export function separateAct(
  id: string,
  { other, separated = true, done }: { other?: string; separated?: boolean; done?: Done } = {},
): Act {
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

function endSessionsAct({ id, nickname }: Player, done: Done): Act {
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

function factorOffAct({ id, nickname }: Player, done: Done): Act {
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

function deleteAct({ id, nickname }: Player, done: Done): Act {
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

function keepAct({ id, nickname }: Player, done: Done): Act {
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

/** All actions that fit the player's state. */
export function playerActs(player: Player, done: Done): readonly Act[] {
  return [
    noteAct(player, done),
    muteAct(player, done),
    renameAct(player, done),
    separateAct(player.id, { done }),
    endSessionsAct(player, done),
    factorOffAct(player, done),
    player.deletion ? keepAct(player, done) : deleteAct(player, done),
    player.banned_at ? unbanAct(player, done) : banAct(player, done),
  ];
}
