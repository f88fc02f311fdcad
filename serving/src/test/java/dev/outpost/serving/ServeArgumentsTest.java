package dev.outpost.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServeArgumentsTest {
    @Test
    void severalModelsAreTaken() {
        ServeArguments read = ServeArguments.parse("--model", "a=file:/a", "--model=file:/b", "--text-tokens", "512");
        assertEquals(List.of("a=file:/a", "file:/b"), read.values().get(ServeOption.MODEL));
        assertEquals(List.of("512"), read.values().get(ServeOption.TEXT_TOKENS));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--wings 2;'--wings is unknown; --help tells the options'",
                "--port x;--port: expected a number, got \"x\"",
                "--quantize int2;--quantize: expected int8|int4, got \"int2\"",
                "--cache-memory much;--cache-memory: expected a size such as 8G, got \"much\"",
                "--model;--model: a value is missing",
                "--port 1 --port 2;--port: said twice, as 1 and 2"
            })
    void mistakesAreNamed(String line, String message) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> ServeArguments.parse(line.split(" ")))
                        .getMessage());
    }

    @Test
    void helpNamesEachOption() {
        String help = ServeArguments.help();
        for (ServeOption option : ServeOption.values()) {
            assertTrue(help.contains(option.flag() + " "), help);
        }
    }
}
