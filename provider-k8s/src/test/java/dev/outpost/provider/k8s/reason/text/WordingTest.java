package dev.outpost.provider.k8s.reason.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class WordingTest {
    @Test
    void namesAreSpelledOut() {
        assertEquals(
                List.of("an A100", "a T4", "an L4", "an H100", "a B200", "an RTX4090", "a GTX1080"),
                Stream.of("A100", "T4", "L4", "H100", "B200", "RTX4090", "GTX1080")
                        .map(Wording::withArticle)
                        .toList());
    }

    @Test
    void placesAreOrdinals() {
        assertEquals(
                List.of("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"),
                Stream.of(1, 2, 3, 4, 11, 12, 13, 21, 112).map(Wording::ordinal).toList());
    }

    @Test
    void timesHaveTwoUnits() {
        assertEquals(
                List.of("0 s", "42 s", "1 min", "3 min 20 s", "2 h", "2 h 5 min"),
                Stream.of(0, 42, 60, 200, 7200, 7500)
                        .map(seconds -> Wording.time(Duration.ofSeconds(seconds)))
                        .toList());
    }

    @Test
    void sizesAreDecimal() {
        assertEquals("1.8 GB", Wording.size(1_766_399_024L));
        assertEquals("250 MB", Wording.size(250_400_000));
        assertEquals("1 MB", Wording.size(10));
    }

    @Test
    void lastNonBlankLogLinesAreQuoted() {
        String log = "one\ntwo\n\nthree\nfour\n\tat dev.outpost.Main.main(Main.java:1)\n\t... 3 more\n";
        assertEquals(": \"two\" / \"three\" / \"four\"", LastLines.quoted(log));
        assertEquals("", LastLines.quoted("\n  \n"));
    }

    @Test
    void endOfALongLineIsQuoted() {
        assertEquals(": \"…" + "x".repeat(399) + "!\"", LastLines.quoted("x".repeat(1000) + "!"));
    }
}
