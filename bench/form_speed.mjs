// Runs in the page, each function by itself: what bench/form_speed.py measures. One expression, so that it can be evaluated.
(() => {
  /** The moment after the next frame is on the screen. */
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(undefined);
    port2.postMessage(0);
  }));
  const until = async (is) => {
    while (!is()) await painted();
    await painted();
  };
  const all = (selector) => [...document.querySelectorAll(selector)];

  return {
    /** Records a whole inspection through the app's own store. */
    async seed({ kind, groups, photo, photos, shows }) {
      const { openStore } = await import('/static/pwa/store/store.js');
      const store = openStore({ app: 'bench' });
      const { inspections } = store;
      const id = await inspections.begin({ protocol: kind, place: 'Lot of the measurement', permit_no: 'BENCH-1' });
      for (const [group, values] of Object.entries(groups)) await inspections.draft(id, group, values);
      await inspections.commitAll(id);
      const { buffer } = Uint8Array.from(atob(photo), (one) => one.charCodeAt(0));
      for (let n = 0; n < photos; n += 1) {
        const taken_at = new Date().toISOString();
        await inspections.addPhoto(id, { bytes: buffer, mime: 'image/jpeg', shows: shows[n % shows.length], taken_at });
      }
      await store.photos.complete();
      return id;
    },

    async open(address) {
      const began = performance.now();
      location.hash = address;
      const section = address.split('/').at(-1);
      await until(() => document.querySelector(`[data-section="${section}"]`));
      return performance.now() - began;
    },

    async pictures(many) {
      const began = performance.now();
      await until(() => all('main img').filter((one) => one.complete && one.naturalWidth).length >= many);
      return performance.now() - began;
    },

    /** Notes for each key how long it took until what the rule says was another on the screen. */
    listen(rule) {
      window.keys = [];
      const said = () => all(`[data-section] [data-rule="${rule}"]`).map((one) => one.dataset.outcome + one.textContent).join();
      document.addEventListener('keydown', (event) => {
        const before = said();
        const look = async () => {
          while (said() === before) await new Promise(requestAnimationFrame);
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => window.keys.push(performance.now() - event.timeStamp);
          port2.postMessage(0);
        };
        if (event.key !== 'Tab') requestAnimationFrame(look);
      }, true);
    },

    /** Puts so many lines into the tablet's copy of what the office sent. */
    async many(records) {
      const names = (await indexedDB.databases()).map((one) => one.name);
      const name = names.find((one) => one.startsWith('replica-') && one !== 'replica-nobody');
      const db = await new Promise((done) => {
        const asked = indexedDB.open(name);
        asked.onsuccess = () => done(asked.result);
      });
      const tx = db.transaction('rows', 'readwrite');
      for (let n = 0; n < records; n += 1) {
        tx.objectStore('rows').put({
          id: `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`, number: `L-${n}`, permit_no: `BV-2020-${n}`,
          protocol: ['lateral', 'tap', 'downspout', 'manhole'][n % 4], state: ['approved', 'submitted', 'in_review'][n % 3],
          place: `Lot ${n} Example Court`, refs: [`MH-${n % 400}`], assignment_id: null, parent_record: null, spot: null, deleted: false,
        });
      }
      await new Promise((done) => { tx.oncomplete = done; });
      db.close();
    },

    async search() {
      const began = performance.now();
      location.hash = '#/search';
      await until(() => all('.long > li').length > 10);
      return performance.now() - began;
    },

    async find(text) {
      const box = document.getElementById('find');
      const began = performance.now();
      box.value = text;
      box.dispatchEvent(new Event('input'));
      await painted();
      return performance.now() - began;
    },

    /** Scrolls as a flick does, three screens a second, and notes how long each frame took. */
    async scroll(seconds) {
      const frames = [];
      let last = performance.now();
      const end = last + seconds * 1000;
      while (last < end) {
        const now = await new Promise(requestAnimationFrame);
        frames.push(now - last);
        scrollBy(0, ((now - last) * innerHeight * 3) / 1000);
        last = now;
      }
      return { frames: frames.slice(5), shown: all('.long > li').length, at: scrollY };
    },
  };
})()
