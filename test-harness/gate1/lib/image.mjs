// Reads as much of an image as says what it is: no pixels are decoded.

/** Width and height of a PNG or JPEG; throws on anything else. */
export function imageSize(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isPng = bytes.length >= 24 && view.getUint32(0) === 0x89504e47 &&
    view.getUint32(4) === 0x0d0a1a0a && view.getUint32(12) === 0x49484452; // "IHDR"
  const size = isPng
    ? { width: view.getUint32(16), height: view.getUint32(20) }
    : jpegSize(bytes, view);
  if (!size || size.width === 0 || size.height === 0) {
    throw new Error('an image that is no PNG or JPEG with a size');
  }
  return size;
}

/** The same, with nothing for width and height when it is no image. */
export function sizeIfImage(bytes) {
  try {
    return imageSize(bytes);
  } catch {
    return { width: undefined, height: undefined };
  }
}

// Walks the segments of a JPEG up to the frame header, which has the size.
function jpegSize(bytes, view) {
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1];
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
