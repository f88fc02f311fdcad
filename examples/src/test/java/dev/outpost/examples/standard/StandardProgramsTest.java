package dev.outpost.examples.standard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.metrics.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The standard programs learn within a short run, and stay short. */
class StandardProgramsTest {
    private static final int LINES = 120;
    private static final String MACHINE = "outpost.machine";

    @TempDir
    private Path folder;

    @FunctionalInterface
    interface Main {
        void run(String... arguments) throws IOException;
    }

    @BeforeAll
    static void computeInThisJvm() {
        System.setProperty(MACHINE, "mock:any");
    }

    @AfterAll
    static void forgetMachine() {
        System.clearProperty(MACHINE);
    }

    /** Returns the numbers of a column, without the lines of other metrics. */
    private List<Double> column(String name) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve(Metrics.CSV_FILE));
        int index = Arrays.asList(lines.getFirst().split(",")).indexOf(name);
        List<Double> column = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String cell = line.split(",", -1)[index];
            if (!cell.isEmpty()) {
                column.add(Double.parseDouble(cell));
            }
        }
        return column;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    /** Runs a program, and returns the mean loss of its last five steps, as a fraction of that of its first five steps. */
    private double remainingLoss(Main main, String length) throws IOException {
        main.run(length, folder.toString());
        assertTrue(Files.exists(folder.resolve("start.safetensors")));
        List<Double> losses = column("loss");
        return mean(losses.subList(losses.size() - 5, losses.size())) / mean(losses.subList(0, 5));
    }

    @Test
    void digitsCnn() throws IOException {
        double remaining = remainingLoss(DigitsCnn::main, "5");
        assertTrue(remaining < 0.7, () -> "remaining " + remaining);
        double accuracy = column("accuracy").getFirst();
        assertTrue(accuracy > 0.5, () -> "accuracy " + accuracy);
    }

    @Test
    void characterGpt() throws IOException {
        double remaining = remainingLoss(CharacterGpt::main, "1");
        assertTrue(remaining < 0.8, () -> "remaining " + remaining);
    }

    @Test
    void digitsVae() throws IOException {
        double remaining = remainingLoss(DigitsVae::main, "2");
        assertTrue(remaining < 0.9, () -> "remaining " + remaining);
    }

    @Test
    void packedLstm() throws IOException {
        double remaining = remainingLoss(PackedLstm::main, "2");
        assertTrue(remaining < 0.97, () -> "remaining " + remaining);
    }

    @Test
    void catchDqn() throws IOException {
        CatchDqn.main(new String[] {"300", folder.toString()});
        assertEquals(300, column("return").size());
        double early = mean(column("loss").subList(80, 120));
        assertTrue(early > 0, () -> "loss " + early);
        // A paddle that stays in the middle, or moves at random, misses five balls of seven.
        double late = mean(column("return").subList(200, 300));
        assertTrue(late > 0.2, () -> "return " + late);
    }

    @Test
    void programsAreShort() throws IOException {
        for (Path source : List.of(Path.of("src/main/java/dev/outpost/examples/standard"), Path.of("pytorch"))) {
            try (Stream<Path> files = Files.list(source)) {
                for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                    int lines = Files.readAllLines(file).size();
                    assertTrue(lines <= LINES, () -> file + " has " + lines + " lines");
                }
            }
        }
    }
}
