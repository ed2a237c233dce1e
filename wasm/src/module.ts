/* The WebAssembly module: its memory, its exports, and its imports. wasm/edge.h is the other side. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { EngineError, EngineFault } from './errors.js';
import type { Card } from './types.js';

type Call = (...numbers: number[]) => number;
interface Exports {
  memory: WebAssembly.Memory;
  __wasm_call_ctors: () => void;
  input: Call;
  input_max: Call;
  output: Call;
  [call: string]: unknown;
}
interface Answer {
  error?: { code: string; text: string; cards?: Card[]; line?: number; column?: number };
}

/** Source of the module: its address, a fetch response, or its bytes. */
export type Source = string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module;

export class Module {
  #exports: Exports | null = null;
  #broken: EngineFault | null = null;
  #in = 0;
  #out = 0;
  #inMax = 0;

  static async load(source: Source): Promise<Module> {
    const module = new Module();
    const imports = { host: module.#host() };
    module.#start(await instantiate(source, imports));
    return module;
  }

  /** Calls an export with its input (text or bytes) and returns the output. */
  call<T>(name: string, input: string | Uint8Array | null, ...numbers: number[]): T {
    const exports = this.#ready();
    const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
    if (bytes && bytes.length > this.#inMax)
      throw new EngineError({ code: 'too_long', text: 'The input is too long.' });
    if (bytes) new Uint8Array(exports.memory.buffer, this.#in, bytes.length).set(bytes);
    const said = JSON.parse(this.#run(exports, name, numbers)) as T & Answer;
    if (said.error) throw new EngineError(said.error);
    return said;
  }

  #run(exports: Exports, name: string, numbers: number[]): string {
    try {
      const n = (exports[name] as Call)(...numbers);
      return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, this.#out, n >>> 0));
    } catch (fault) {
      this.#broken = fault instanceof EngineFault ? fault : new EngineFault(String(fault));
      throw this.#broken;
    }
  }

  #ready(): Exports {
    if (this.#broken) throw this.#broken;
    if (!this.#exports) throw new EngineFault('the engine is not loaded');
    return this.#exports;
  }

  #start(instance: WebAssembly.Instance): void {
    const exports = instance.exports as unknown as Exports;
    exports.__wasm_call_ctors();
    this.#in = exports.input() >>> 0;
    this.#out = exports.output() >>> 0;
    this.#inMax = exports.input_max() >>> 0;
    this.#exports = exports;
  }

  #bytes(at: number, n: number): Uint8Array {
    return new Uint8Array(this.#ready().memory.buffer, at >>> 0, n >>> 0);
  }

  #text(at: number): string {
    const all = new Uint8Array(this.#ready().memory.buffer, at >>> 0);
    return new TextDecoder().decode(all.subarray(0, all.indexOf(0)));
  }

  #host() {
    return {
      bug: (file: number, line: number, text: number) => {
        throw new EngineFault(`${this.#text(file)}:${line}: bug: ${this.#text(text)}`);
      },
      sha256: (out: number, at: number, n: number) => {
        this.#bytes(out, 32).set(sha256(this.#bytes(at, n)));
      },
      hmac_sha256: (out: number, key: number, at: number, n: number) => {
        this.#bytes(out, 32).set(hmac(sha256, this.#bytes(key, 32), this.#bytes(at, n)));
      },
    };
  }
}

async function instantiate(source: Source, imports: WebAssembly.Imports): Promise<WebAssembly.Instance> {
  if (source instanceof WebAssembly.Module) return WebAssembly.instantiate(source, imports);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
    return (await WebAssembly.instantiate(source, imports)).instance;
  const response = typeof source === 'string' || source instanceof URL ? fetch(source) : source;
  return (await WebAssembly.instantiateStreaming(response, imports)).instance;
}
