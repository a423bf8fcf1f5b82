// `meta`: who made the avatar, and what one may do with it.

import { show } from '../faults.mjs';
import { sizeIfImage } from '../image.mjs';
import { LICENSE_URL, NARROWEST, WIDEST } from './tables.mjs';

const isFilled = (value) => typeof value === 'string' && value.trim() !== '';

export function checkMeta(glb, path, faults) {
  const { json } = glb;
  const at = `${path}/meta`;
  const { meta } = json.extensions.VRMC_vrm;
  if (meta === null || typeof meta !== 'object' || Array.isArray(meta)) {
    faults.add(at, show(meta), 'an object');
    return;
  }
  if (!isFilled(meta.name)) faults.add(`${at}/name`, show(meta.name), 'a text');
  checkTexts(`${at}/authors`, meta.authors, faults);
  if (meta.references !== undefined) checkTexts(`${at}/references`, meta.references, faults);
  for (const key of ['version', 'contactInformation', 'thirdPartyLicenses', 'copyrightInformation', 'otherLicenseUrl']) {
    if (meta[key] !== undefined && !isFilled(meta[key])) faults.add(`${at}/${key}`, show(meta[key]), 'a text, or nothing');
  }
  faults.equal(`${at}/licenseUrl`, meta.licenseUrl, LICENSE_URL);
  checkLicences(json, at, meta, faults);
  if (meta.thumbnailImage !== undefined) checkThumbnail(glb, `${at}/thumbnailImage`, meta.thumbnailImage, faults);
}

function checkTexts(at, texts, faults) {
  if (!Array.isArray(texts) || texts.length === 0) {
    faults.add(at, show(texts), 'one text or more');
    return;
  }
  texts.forEach((text, index) => {
    if (!isFilled(text)) faults.add(`${at}/${index}`, show(text), 'a text that is not blank');
  });
}

// The licence entries stand in `meta` as well, and nothing is granted that one
// of them keeps back.
function checkLicences(json, at, meta, faults) {
  const entries = json.asset?.extras?.dramatis?.licences;
  if (!Array.isArray(entries)) return; // another check tells
  faults.equal(`${at}/copyrightInformation`, meta.copyrightInformation, json.asset.copyright);
  const urls = entries.map((entry) => entry?.licenceUrl);
  if (!urls.includes(meta.otherLicenseUrl)) {
    faults.add(`${at}/otherLicenseUrl`, show(meta.otherLicenseUrl), "one of the entries' licenceUrl");
  }
  for (const entry of entries) {
    if (entry?.attribution === undefined) continue;
    const said = `${meta.thirdPartyLicenses}\n${meta.copyrightInformation}`;
    if (!said.includes(entry.attribution)) {
      faults.add(`${at}/thirdPartyLicenses`, show(meta.thirdPartyLicenses), `the credit ${show(entry.attribution)}`);
    }
  }
  for (const [key, value] of Object.entries(permissionsOf(entries.map((entry) => entry?.licence)))) {
    faults.equal(`${at}/${key}`, meta[key] ?? NARROWEST[key], value);
  }
}

function permissionsOf(licences) {
  const words = licences.map((licence) => String(licence).toUpperCase().split(/[\s_-]+/));
  const isCredit = (list) => list[0] === 'CC' && list[1] === 'BY';
  if (!words.every((list) => list[0] === 'CC0' || isCredit(list))) return NARROWEST;
  const any = (word) => words.some((list) => isCredit(list) && list.includes(word));
  return {
    ...WIDEST,
    ...(words.some(isCredit) ? { creditNotation: 'required' } : {}),
    ...(any('NC') ? { commercialUsage: 'personalNonProfit' } : {}),
    ...(any('ND') ? { modification: 'prohibited' } : {}),
  };
}

function checkThumbnail({ json, bin }, at, index, faults) {
  const image = json.images?.[index];
  const view = json.bufferViews?.[image?.bufferView];
  if (view === undefined) {
    faults.add(at, show(index), 'the number of an image in the file');
    return;
  }
  const { byteOffset = 0, byteLength } = view;
  const { width, height } = sizeIfImage(bin.subarray(byteOffset, byteOffset + byteLength));
  if (width === undefined) faults.add(at, 'bytes of another kind', 'a PNG or JPEG');
  else if (width !== height) faults.add(at, `${width} x ${height} pixels`, 'as many pixels wide as high');
}
