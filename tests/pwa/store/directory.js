/** The origin's private file system, as far as the app uses it, in memory. It can be full. */

export class MemoryDirectory {
  constructor(root = null) {
    this.entries = new Map();
    this.root = root ?? this;
    this.full = false;
  }

  async getDirectoryHandle(name, { create = false } = {}) {
    if (!this.entries.has(name)) {
      if (!create) throw new DOMException(name, 'NotFoundError');
      this.entries.set(name, new MemoryDirectory(this.root));
    }
    return this.entries.get(name);
  }

  async getFileHandle(name, { create = false } = {}) {
    if (!this.entries.has(name)) {
      if (!create) throw new DOMException(name, 'NotFoundError');
      this.entries.set(name, new MemoryFile(this.root));
    }
    return this.entries.get(name);
  }

  async removeEntry(name) {
    if (!this.entries.delete(name)) throw new DOMException(name, 'NotFoundError');
  }

  async *keys() {
    yield* this.entries.keys();
  }
}

class MemoryFile {
  constructor(root) {
    this.root = root;
    this.bytes = new Uint8Array();
  }

  async getFile() {
    return new Blob([this.bytes]);
  }

  async createWritable({ keepExistingData = false } = {}) {
    let bytes = keepExistingData ? this.bytes : new Uint8Array();
    return {
      write: async (what) => {
        if (this.root.full) throw new DOMException('full', 'QuotaExceededError');
        const at = what.position ?? 0;
        const data = typeof what.data === 'string' ? new TextEncoder().encode(what.data) : new Uint8Array(what.data ?? what);
        const next = new Uint8Array(Math.max(bytes.length, at + data.length));
        next.set(bytes);
        next.set(data, at);
        bytes = next;
      },
      close: async () => { this.bytes = bytes; },
      abort: async () => {},
    };
  }
}
