// Preact and htm: elements are made of templates, and texts in them are always texts, never markup.

import { Fragment, h, render } from './vendor/preact.js';
import htm from './vendor/htm.js';

export const html = htm.bind(h);
export { Fragment, render };
export { useEffect, useMemo, useRef, useState } from './vendor/hooks.js';
