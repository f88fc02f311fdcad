package dev.outpost.system.backend.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The dashboard's colours have the contrast of WCAG AA in both themes: 4.5 for texts, 3 for edges of controls and parts of charts. */
@Tag("quick")
class DashboardContrastTest {
    private static final Path STYLES =
            Path.of("../../control-plane/src/main/resources/META-INF/resources/dashboard.css");
    private static final double TEXT = 4.5;
    private static final double GRAPHIC = 3;
    private static final List<String> TEXTS = List.of("text", "soft", "link", "ready", "waits", "over", "lost");
    private static final List<String> GRAPHICS =
            List.of("edge", "series-0", "series-1", "series-2", "series-3", "series-4", "series-5");

    private record Theme(String name, Map<String, String> colours) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Theme> themes() throws IOException {
        String styles = Files.readString(STYLES);
        int dark = styles.indexOf("@media (prefers-color-scheme: dark)");
        return Stream.of(
                new Theme("light", Contrast.properties(styles.substring(0, dark))),
                new Theme("dark", Contrast.properties(styles.substring(dark, styles.indexOf("* {", dark)))));
    }

    @ParameterizedTest
    @MethodSource("themes")
    void textsAreReadOnEveryBackground(Theme theme) {
        for (String back : List.of("back", "band")) {
            TEXTS.forEach(text -> assertContrast(theme, text, back, TEXT));
        }
    }

    @ParameterizedTest
    @MethodSource("themes")
    void edgesAndChartsAreSeen(Theme theme) {
        GRAPHICS.forEach(graphic -> assertContrast(theme, graphic, "back", GRAPHIC));
    }

    private static void assertContrast(Theme theme, String front, String back, double min) {
        double contrast =
                Contrast.of(theme.colours().get(front), theme.colours().get(back));
        assertTrue(contrast >= min, () -> theme + ": " + front + " on " + back + " has " + contrast);
    }

    @Test
    void contrastIsThatOfTheDefinition() {
        assertEquals(21, Contrast.of("#000000", "#ffffff"), 1e-9);
        assertEquals(1, Contrast.of("#123456", "#123456"), 1e-9);
        assertEquals(4.54, Contrast.of("#767676", "#ffffff"), 0.01);
    }
}
