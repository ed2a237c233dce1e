/* Synthesizes the sounds: tones with an envelope, and short bursts of noise for cards. */
import type { Sound } from './cues';

/** For a tone its pitch in Hz, for noise the center of its band; times in seconds, `level` relative to full
 * volume. */
interface Voice {
  kind: 'tone' | 'noise';
  at: number;
  length: number;
  pitch: number;
  /** Final pitch; omitted: constant pitch. */
  to?: number;
  level: number;
}

const tone = (at: number, pitch: number, length: number, level = 0.3): Voice => ({
  ...{ kind: 'tone', at, pitch, length, level },
});
const noise = (at: number, pitch: number, to: number, length: number, level: number): Voice => ({
  ...{ kind: 'noise', at, pitch, to, length, level },
});

const VOICES: Record<Sound, Voice[]> = {
  deal: [0, 0.07, 0.14, 0.21, 0.28, 0.35].map((at) => noise(at, 2600, 1500, 0.05, 0.4)),
  draw: [noise(0, 1400, 3200, 0.09, 0.5)],
  throw: [noise(0, 2800, 900, 0.07, 0.6), { ...tone(0.03, 150, 0.08, 0.35), to: 80 }],
  meld: [0, 0.06, 0.12].map((at, i) => tone(at, 392 * (1 + i / 4), 0.16, 0.22)),
  turn: [tone(0, 659, 0.18, 0.3), tone(0.13, 880, 0.3, 0.3)],
  late: [tone(0, 988, 0.06, 0.24)],
  win: [523, 659, 784, 1047].map((pitch, i) => tone(i * 0.13, pitch, i === 3 ? 0.7 : 0.22, 0.32)),
  refused: [tone(0, 220, 0.12, 0.28), tone(0.1, 175, 0.18, 0.28)],
};

const ATTACK_S = 0.008;
const SILENCE = 0.0001;
/** Quality factor (Q) of the band-pass filter for noise. */
const NOISE_Q = 1.2;

export class Synth {
  private noise: AudioBuffer | null = null;

  constructor(private readonly audio: AudioContext) {}

  /** `volume` from 0 to 1. Starts at once. If the browser has suspended the audio context, resumes it when
   * permitted. */
  play(sound: Sound, volume: number): void {
    if (this.audio.state === 'suspended') void this.audio.resume().catch(() => undefined);
    for (const voice of VOICES[sound]) this.voice(voice, volume);
  }

  private voice(voice: Voice, volume: number): void {
    const from = this.audio.currentTime + voice.at;
    const until = from + voice.length;
    const gain = this.audio.createGain();
    gain.gain.setValueAtTime(SILENCE, from);
    gain.gain.exponentialRampToValueAtTime(Math.max(SILENCE, voice.level * volume), from + ATTACK_S);
    gain.gain.exponentialRampToValueAtTime(SILENCE, until);
    gain.connect(this.audio.destination);
    const source = voice.kind === 'tone' ? this.tone(voice, from, gain) : this.burst(voice, from, gain);
    source.onended = () => gain.disconnect();
    source.start(from);
    source.stop(until);
  }

  private tone(voice: Voice, from: number, into: AudioNode): OscillatorNode {
    const source = this.audio.createOscillator();
    source.type = 'triangle';
    source.frequency.setValueAtTime(voice.pitch, from);
    if (voice.to) source.frequency.exponentialRampToValueAtTime(voice.to, from + voice.length);
    source.connect(into);
    return source;
  }

  private burst(voice: Voice, from: number, into: AudioNode): AudioBufferSourceNode {
    const source = this.audio.createBufferSource();
    source.buffer = this.noise ??= this.hiss();
    const band = this.audio.createBiquadFilter();
    band.type = 'bandpass';
    band.Q.value = NOISE_Q;
    band.frequency.setValueAtTime(voice.pitch, from);
    if (voice.to) band.frequency.exponentialRampToValueAtTime(voice.to, from + voice.length);
    source.connect(band);
    band.connect(into);
    return source;
  }

  /** Half a second of noise, generated once. */
  private hiss(): AudioBuffer {
    const buffer = this.audio.createBuffer(1, Math.round(this.audio.sampleRate / 2), this.audio.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
    return buffer;
  }
}
