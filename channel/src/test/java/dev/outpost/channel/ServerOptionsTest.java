package dev.outpost.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("quick")
class ServerOptionsTest {
    private static ServerOptions options(boolean allowsRepeats) {
        return new ServerOptions("outpost.test.", "Usage: outpost test [OPTIONS]\n", 16, allowsRepeats)
                .list("model", "URI", "The model; several by several options.")
                .option("port", "NUMBER", "http.port", "The port.")
                .option("quota", "BYTES", "The quota.")
                .option("cache", "SIZE", "The cache.")
                .option("quantize", "int8|int4", "The type.")
                .option("announce", "", "lan.announce", "Announce it.");
    }

    private static Map<String, String> read(String... arguments) {
        return options(true).parse(arguments).orElseThrow();
    }

    @Test
    void optionsBecomePropertiesInBothForms() {
        assertEquals(
                Map.of("outpost.test.http.port", "0", "outpost.test.quota", "10000000000", "outpost.test.model", "a=b"),
                read("--port", "0", "--quota=10000000000", "--model=a=b"));
        assertEquals(
                Map.of("outpost.test.lan.announce", "true", "outpost.test.quantize", "int4"),
                read("--announce", "--quantize", "int4"));
    }

    @Test
    void valuesOfAListHaveCommasBetweenThem() {
        assertEquals(Map.of("outpost.test.model", "a,b\\,c"), read("--model", "a", "--model", "b,c"));
    }

    @Test
    void lastOfTwoValuesCountsWhereRepeatsAreAllowed() {
        assertEquals(Map.of("outpost.test.http.port", "2"), read("--port", "1", "--port", "2"));
    }

    @Test
    void flagMayBeRepeated() {
        assertEquals(
                Optional.of(Map.of("outpost.test.lan.announce", "true")),
                options(false).parse("--announce", "--announce"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--wings 2;'--wings is unknown; --help lists the options'",
                "wings;'wings is unknown; --help lists the options'",
                "--port x;--port: expected a number, got \"x\"",
                "--quota -1;--quota: expected a number, got \"-1\"",
                "--cache much;--cache: expected a size such as 8G, got \"much\"",
                "--quantize int;--quantize: expected int8|int4, got \"int\"",
                "--model=;--model: expected URI, got nothing",
                "--model;--model: a value is missing",
                "--port 1 --port 2;--port: set twice, as 1 and 2"
            })
    void mistakesAreNamed(String line, String message) {
        assertEquals(
                message,
                assertThrows(
                                IllegalArgumentException.class,
                                () -> options(false).parse(line.split(" ")))
                        .getMessage());
    }

    @Test
    void helpHasALineForEachOption() {
        assertEquals(Optional.empty(), options(true).parse("--port", "1", "-h"));
        assertEquals("""
                Usage: outpost test [OPTIONS]
                  --model URI      The model; several by several options.
                  --port NUMBER    The port.
                  --quota BYTES    The quota.
                  --cache SIZE     The cache.
                  --quantize int8|int4 The type.
                  --announce       Announce it.
                  -h, --help       Show this and exit.

                Everything else is configuration: outpost.test.* as system properties, OUTPOST_TEST_* as variables.
                """, options(true).help());
    }
}
