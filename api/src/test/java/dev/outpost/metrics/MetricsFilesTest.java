package dev.outpost.metrics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class MetricsFilesTest {
    @TempDir
    private Path folder;

    @Test
    void aRowHasTheValuesOfACall() throws IOException {
        try (Metrics metrics = Metrics.to(folder)) {
            metrics.log(1, ordered("loss", 0.5, "rate", 1e-3));
            metrics.log(2, "loss", Double.NaN);
            metrics.log(2, "loss/test, \"held out\"", 3);
        }
        assertEquals(
                List.of(
                        "step,time,loss,rate,\"loss/test, \"\"held out\"\"\"",
                        "1,T,0.5,0.001,",
                        "2,T,NaN,,",
                        "2,T,,,3.0"),
                rows());
        assertEquals(
                List.of(
                        "{\"step\":1,\"time\":T,\"loss\":0.5,\"rate\":0.001}",
                        "{\"step\":2,\"time\":T,\"loss\":null}",
                        "{\"step\":2,\"time\":T,\"loss/test, \\\"held out\\\"\":3.0}"),
                json());
    }

    /** Each logged row is on disk before close, so a killed program loses none. */
    @Test
    void linesAreOnDiskAtOnce() throws IOException {
        try (Metrics metrics = Metrics.to(folder)) {
            metrics.log(1, "loss", 0.5);
            assertEquals(2, rows().size());
            assertEquals(1, json().size());
            assertEquals(2, records().size());
        }
    }

    @Test
    void aResumedRunReplacesLaterSteps() throws IOException {
        try (Metrics metrics = Metrics.to(folder)) {
            metrics.log(1, "loss", 3);
            metrics.log(2, "loss", 2);
            metrics.log(3, "loss", 1);
        }
        Files.writeString(folder.resolve(Metrics.CSV_FILE), "4,17", StandardOpenOption.APPEND);
        Files.writeString(folder.resolve(Metrics.JSON_FILE), "{\"step\":1,\"ti", StandardOpenOption.APPEND);
        try (Metrics metrics = Metrics.resume(folder, 2)) {
            metrics.log(3, "loss", 0);
        }
        assertEquals(List.of("step,time,loss", "1,T,3.0", "2,T,2.0", "3,T,0.0"), rows());
        assertEquals(3, json().size());
        assertTrue(json().getLast().endsWith("\"loss\":0.0}"));
    }

    @Test
    void anotherRunAddsLines() throws IOException {
        for (int run = 0; run < 2; run++) {
            try (Metrics metrics = Metrics.to(folder, MetricsFormat.CSV)) {
                metrics.log(run, run == 0 ? "loss" : "accuracy", run);
            }
        }
        assertEquals(List.of("step,time,loss,accuracy", "0,T,0.0,", "1,T,,1.0"), rows());
        assertEquals(List.of("metrics.csv"), names());
    }

    /** Lengths, checksums and messages as TensorFlow's own writer writes them. */
    @Test
    void eventFilesHaveTheBytesOfTensorFlow() throws IOException {
        assertArrayEquals(
                HexFormat.of().parseHex("0500000000000000ea b2 04 3e 48 65 6c 6c 6f 8a ee b9 be".replace(" ", "")),
                EventFileWriter.frame("Hello".getBytes(StandardCharsets.US_ASCII)));
        try (Metrics metrics = Metrics.to(folder, MetricsFormat.TENSORBOARD)) {
            metrics.log(300, "a", 1.5);
        }
        List<byte[]> records = records();
        assertEquals("10001a0d", hex(records.get(0)).substring(18, 26));
        assertTrue(new String(records.get(0), StandardCharsets.US_ASCII).endsWith("brain.Event:2"));
        // step 300 as a varint; a summary of 10 bytes; a value of 8 bytes with the tag "a" and the float 1.5
        assertEquals("10ac022a0a0a080a0161150000c03f", hex(records.get(1)).substring(18));
    }

    @Test
    void wrongNamesAndClosedFilesAreRefused() {
        Metrics metrics = Metrics.to(folder);
        for (String name : List.of("step", "time", " ", "a\nb")) {
            assertThrows(OutpostException.class, () -> metrics.log(1, name, 1), name);
        }
        metrics.close();
        metrics.close();
        OutpostException refusal = assertThrows(OutpostException.class, () -> metrics.log(1, "loss", 1));
        assertEquals("metrics: " + folder + " is closed already", refusal.getMessage());
    }

    @Test
    void aFolderThatIsAFileIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        UncheckedIOException failure = assertThrows(UncheckedIOException.class, () -> Metrics.to(file));
        assertEquals("metrics: " + file + " cannot be written", failure.getMessage());
    }

    @Test
    void someoneElsesTableIsNotChanged() throws IOException {
        Files.writeString(folder.resolve(Metrics.CSV_FILE), "a,b\n1,2\n");
        assertThrows(UncheckedIOException.class, () -> Metrics.to(folder));
        assertEquals("a,b\n1,2\n", Files.readString(folder.resolve(Metrics.CSV_FILE)));
    }

    private static Map<String, Double> ordered(String first, double one, String second, double other) {
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(first, one);
        values.put(second, other);
        return values;
    }

    private List<String> rows() throws IOException {
        return Files.readAllLines(folder.resolve(Metrics.CSV_FILE)).stream()
                .map(line -> line.replaceFirst("^(\\d+),\\d+(\\.\\d+)?,", "$1,T,"))
                .toList();
    }

    private List<String> json() throws IOException {
        return Files.readAllLines(folder.resolve(Metrics.JSON_FILE)).stream()
                .map(line -> line.replaceFirst("\"time\":\\d+(\\.\\d+)?,", "\"time\":T,"))
                .toList();
    }

    private List<byte[]> records() throws IOException {
        String name = names().stream()
                .filter(file -> file.startsWith("events"))
                .findFirst()
                .orElseThrow();
        ByteBuffer file =
                ByteBuffer.wrap(Files.readAllBytes(folder.resolve(name))).order(ByteOrder.LITTLE_ENDIAN);
        List<byte[]> records = new ArrayList<>();
        while (file.hasRemaining()) {
            byte[] record = new byte[(int) file.getLong()];
            file.getInt();
            file.get(record).getInt();
            records.add(record);
        }
        return records;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
