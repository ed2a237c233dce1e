/* Actions on a club. */
import type { Action } from './actions.svelte';
import { REASON } from './fields';
import { api, need, type Schemas } from './operator.svelte';
import { word } from './words';

type Club = Schemas['AdminClub'];
type Done = (club: Club) => void;

function renameAction({ id, name }: Club, done: Done): Action {
  return {
    needs: 'rename_club',
    name: 'act.rename',
    about: word('about.rename_club', { name }),
    fields: [{ kind: 'text', name: 'name', label: word('field.name'), max: 80, value: name }, REASON],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/clubs/{club}/rename', {
          params: { path: { club: id }, header },
          body: body as Schemas['ClubRenameRequest'],
        }),
      ),
    done,
  };
}

function clearAction({ id, name }: Club, done: Done): Action {
  return {
    needs: 'clear_club',
    name: 'act.clear_club',
    about: word('about.clear_club', { name }),
    fields: [REASON],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/clubs/{club}/clear', {
          params: { path: { club: id }, header },
          body: body as Schemas['ReasonRequest'],
        }),
      ),
    done,
  };
}

function closeAction({ id, name }: Club, closed: () => void): Action {
  return {
    needs: 'close_club',
    name: 'act.close_club',
    about: word('about.close_club', { name }),
    grave: true,
    fields: [REASON],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/clubs/{club}/close', {
          params: { path: { club: id }, header },
          body: body as Schemas['ReasonRequest'],
        }),
      ),
    done: closed,
  };
}

/** All actions that apply in the club's state. `closed` is called once the club is closed. */
export function clubActions(club: Club, done: Done, closed: () => void): readonly Action[] {
  return [
    renameAction(club, done),
    ...(club.about ? [clearAction(club, done)] : []),
    closeAction(club, closed),
  ];
}
