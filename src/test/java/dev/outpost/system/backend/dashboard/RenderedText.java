package dev.outpost.system.backend.dashboard;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;

/** The texts of a page as rendered by Chromium. */
final class RenderedText {
    /** The minimum contrast of WCAG AA. */
    private static final double READABLE = 4.5;

    /** The text with the lowest contrast to its background, as WCAG defines it, and this contrast. */
    private static final String WORST_CONTRAST = """
            (() => {
              const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
              const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
              const luminance = (colour) => {
                const [red, green, blue] = parts(colour).map((part) => linear(part / 255));
                return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
              };
              const behind = (node) => {
                for (let at = node; at; at = at.parentElement) {
                  const colour = getComputedStyle(at).backgroundColor;
                  if ((parts(colour)[3] ?? 1) > 0) return colour;
                }
                return 'rgb(255, 255, 255)';
              };
              let worst = {contrast: 21, text: ''};
              const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              for (let text = texts.nextNode(); text; text = texts.nextNode()) {
                const node = text.parentElement;
                if (!text.data.trim() || !node.checkVisibility() || ['SCRIPT', 'NOSCRIPT', 'TITLE'].includes(node.tagName)) continue;
                const style = getComputedStyle(node);
                const front = luminance(node instanceof SVGElement ? style.fill : style.color);
                const back = luminance(behind(node));
                const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
                if (contrast < worst.contrast) worst = {contrast, text: text.data};
              }
              return worst;
            })()
            """;

    private RenderedText() {}

    /** @param picture the name of the page's picture, for the message */
    static void assertIsReadable(Chromium page, String picture) {
        JsonNode worst = page.evaluate(WORST_CONTRAST);
        assertTrue(worst.path("contrast").asDouble() >= READABLE, () -> picture + ": " + worst);
    }
}
