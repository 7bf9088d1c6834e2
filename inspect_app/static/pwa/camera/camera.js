/**
 * The camera inside the app, for tablets that close the page when another app takes the photo. The system's own camera
 * by a file input is the screens' business; both hand the same bytes to the store.
 */

const QUALITY = 0.92;
const WANTED = { facingMode: { ideal: 'environment' }, width: { ideal: 4032 }, height: { ideal: 3024 } };

/** The camera could not be used; the message is for the person. */
export class NoCamera extends Error {
  /** @param {'denied'|'absent'|'busy'|'dark'} kind dark: it shows no picture @param {string} message */
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/**
 * @typedef {object} Camera
 * @property {() => Promise<{bytes: ArrayBuffer, mime: string}>} capture
 * @property {((on: boolean) => Promise<boolean>)|null} torch null where there is none; resolves to whether it is on
 * @property {() => void} close
 */

/** Whether this browser may have a camera to open at all. */
export function hasCamera() {
  return Boolean(globalThis.navigator?.mediaDevices?.getUserMedia);
}

/**
 * Shows the camera in a video element.
 * @param {HTMLVideoElement} video
 * @param {{mediaDevices?: any, ImageCapture?: any}} [browser] what the browser offers; a test hands its own in
 * @returns {Promise<Camera>}
 */
export async function openCamera(video, browser = {}) {
  const mediaDevices = browser.mediaDevices ?? globalThis.navigator?.mediaDevices;
  if (!mediaDevices?.getUserMedia) throw new NoCamera('absent', 'This browser gives no camera here. Choose a photo file instead.');
  const stream = await opened(mediaDevices);
  const [track] = stream.getVideoTracks();
  const close = () => {
    for (const one of stream.getTracks()) one.stop();
    video.srcObject = null;
  };
  try {
    video.srcObject = stream;
    video.muted = true;
    video.setAttribute('playsinline', ''); // iPads would open the picture full screen
    await video.play();
  } catch (problem) {
    close();
    throw new NoCamera('busy', 'The camera did not start. Close other apps that use it and try again.');
  }
  const Capture = browser.ImageCapture ?? /** @type {any} */ (globalThis).ImageCapture;
  const still = Capture ? new Capture(track) : null;
  return {
    async capture() {
      if (track.readyState === 'ended') throw new NoCamera('busy', 'The camera was taken by another app. Open it again.');
      const blob = (await stillPhoto(still)) ?? (await frame(video));
      return { bytes: await blob.arrayBuffer(), mime: blob.type };
    },
    torch: hasTorch(track)
      ? async (on) => {
          await track.applyConstraints({ advanced: [/** @type {any} */ ({ torch: on })] });
          return on;
        }
      : null,
    close,
  };
}

async function opened(mediaDevices) {
  try {
    return await mediaDevices.getUserMedia({ video: WANTED, audio: false });
  } catch (problem) {
    const name = /** @type {Error} */ (problem).name;
    if (name === 'NotAllowedError' || name === 'SecurityError') {
      throw new NoCamera('denied', 'The camera is not allowed for this app. Allow it in the settings of the browser, or choose a photo file.');
    }
    if (name === 'NotFoundError' || name === 'OverconstrainedError') {
      throw new NoCamera('absent', 'This tablet has no camera that can be used. Choose a photo file instead.');
    }
    throw new NoCamera('busy', 'The camera is in use by another app. Close it and try again.');
  }
}

/** The sensor's own picture, where the browser can take one. */
async function stillPhoto(still) {
  try {
    const blob = await still?.takePhoto();
    // Some drivers answer with an empty or foreign picture; the frame on screen is better than that.
    return blob?.size && blob.type === 'image/jpeg' ? blob : null;
  } catch {
    return null;
  }
}

/** The picture on screen as JPEG. @param {HTMLVideoElement} video @returns {Promise<Blob>} */
async function frame(video) {
  const { videoWidth: width, videoHeight: height } = video;
  if (!width || !height) throw new NoCamera('dark', 'The camera shows no picture yet. Wait a moment and press again.');
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
  canvas.width = 0;
  if (!blob) throw new NoCamera('dark', 'The picture could not be made. Press again.');
  return blob;
}

/** @param {any} track */
function hasTorch(track) {
  return Boolean(track.getCapabilities?.().torch);
}
