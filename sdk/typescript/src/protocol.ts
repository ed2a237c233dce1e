/* Frames of the socket protocol rummy.v1. Their types are made out of asyncapi.yaml by `npm run api`;
 * here stand the names by which clients know them. */
import type { components, operationFrames } from './gen/frames.js';

export { BACK_OFF, CLOSE, EMOTES, LIVENESS } from './gen/frames.js';

type Schemas = components['schemas'];
/** What one side sends: the frames of an operation of the contract. */
type Sent<O extends keyof operationFrames> = Schemas[operationFrames[O]];
type DataOf<F> = F extends { d: infer D } ? D : F extends { d?: infer D } ? D : undefined;

export type MeldKind = Schemas['meld_kind'];
export type End = Schemas['end'];
export type Emote = Schemas['emote'];
export type Ending = Schemas['ending'];

/* ---- What a client sends: its id is added when it goes out ------------------------------------ */
export type CommandData = { [F in Sent<'command'> as F['t']]: NonNullable<DataOf<F>> };
export type CommandType = keyof CommandData;
export type Command = { [T in CommandType]: { t: T; d: CommandData[T] } }[CommandType];

/* ---- Events: gap-free, one v each --------------------------------------------------------------- */
type OfSeat<F> = F extends unknown ? F & { seat?: number | null } : never;
/** Some are of no seat. */
export type TableEvent = OfSeat<Sent<'event'>>;
export type EventType = TableEvent['t'];
export type EventData = { [F in TableEvent as F['t']]: F['d'] };

/* ---- Other frames ------------------------------------------------------------------------------- */
export type ServerFrame = TableEvent | Sent<'answer' | 'state' | 'lobby'>;
type FrameData = { [F in ServerFrame as F['t']]: DataOf<F> };

type WholeSnapshot = FrameData['snapshot'];
export type Phase = WholeSnapshot['phase'];
/** Who may sit down there is known from the first snapshot on. */
export type WireTable = Omit<WholeSnapshot['table'], 'visibility'> &
  Partial<Pick<WholeSnapshot['table'], 'visibility'>>;
export type WireSeat = Schemas['waiting_seat'];
export type SnapshotSeat = Schemas['table_seat'];
/** What a table is shown by: a snapshot, or before the first one who sits there and for what they play. */
export interface Snapshot extends Partial<Omit<WholeSnapshot, 'table' | 'me' | 'phase' | 'seats'>> {
  table: WireTable;
  me: number | null;
  phase: Phase;
  seats: (WireSeat | SnapshotSeat)[];
}
export type WireMeld = Schemas['meld_on_table'];
export type WireTurn = Schemas['turn_state'];
export type WireScore = Schemas['score'];
export type WireWaiting = FrameData['waiting'];
export type WireClock = Schemas['clock'];
export type WireChat = FrameData['chat'];
export type WireEmote = FrameData['emote'];
/** To one who is back. */
export type WirePlayed = FrameData['played_for_you'];
export type WireNext = FrameData['next_hand'];
export type SettledSeat = Schemas['settled_seat'];
/** Told by a live table, and by REST with each finished hand. */
export type Fairness = Omit<FrameData['fairness'], 'key_text'>;
export type LegalMove = Schemas['move'];
/** `lost`: by the client itself, when no answer will come. */
export type Nack = Omit<Schemas['frame_nack'], 'code'> & { code: Schemas['frame_nack']['code'] | 'lost' };

export type LobbyRoom = Schemas['lobby_room'];
export type LobbyTable = Schemas['lobby_table'];
export type WireLobby = FrameData['lobby'];
export type WireFriend = FrameData['friends']['items'][number];

/** Whatever else counts a version is an event, one of a later protocol too. */
export function isEvent(frame: ServerFrame): frame is TableEvent {
  return 'v' in frame && !['ack', 'snapshot', 'legal'].includes(frame.t);
}
