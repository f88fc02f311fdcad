package dev.outpost.system.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.examples.ConvolutionalDigits;
import dev.outpost.examples.CustomFunctionExample;
import dev.outpost.examples.DigitsByScan;
import dev.outpost.examples.FirstTensor;
import dev.outpost.examples.LinearRegression;
import dev.outpost.examples.PlainLoop;
import dev.outpost.examples.TrainDigits;
import dev.outpost.examples.ViewsAndInPlace;
import dev.outpost.metrics.Metrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The examples run, and print the promised output. */
@ResourceLock(Resources.SYSTEM_OUT)
class ExamplesTest {
    @Test
    void firstTensor() {
        double mean =
                Double.parseDouble(outputOf(FirstTensor::main, "mock", "A100").strip());
        // The mean of max(0, x) for x of variance 1000 is sqrt(1000 / 2π).
        assertTrue(Math.abs(mean - Math.sqrt(1000 / (2 * Math.PI))) < 0.2, "mean " + mean);
    }

    @Test
    void linearRegression() {
        String line = outputOf(LinearRegression::main, "mock", "A100", "200");
        assertTrue(line.contains("y = 3.0") || line.contains("y = 2.9"), line);
    }

    @Test
    void viewsAndInPlace() {
        assertTrue(outputOf(ViewsAndInPlace::main, "mock", "A100").contains("tensor("));
    }

    @Test
    void customFunction() {
        assertTrue(outputOf(CustomFunctionExample::main, "mock", "A100").length() > 0);
    }

    @Test
    void trainDigits() {
        assertTrue(outputOf(TrainDigits::main, "mock", "A100", "1").contains("accuracy"));
    }

    @Test
    void convolutionalDigits() {
        assertTrue(outputOf(ConvolutionalDigits::main, "mock", "A100", "2").contains("after 2 steps"));
    }

    @Test
    void plainLoop(@TempDir Path folder) throws IOException {
        String[] epochs = outputOf(PlainLoop::main, "mock", "A100", "3", folder.toString())
                .strip()
                .split("\n");
        double first = Double.parseDouble(epochs[0].replace("epoch 1: mean loss ", ""));
        double third = Double.parseDouble(epochs[2].replace("epoch 3: mean loss ", ""));
        assertTrue(third < first / 2, () -> first + " and " + third);
        assertEquals(
                1 + 3 * 40, Files.readAllLines(folder.resolve(Metrics.CSV_FILE)).size());
    }

    @Test
    void digitsByScan() {
        String[] epochs =
                outputOf(DigitsByScan::main, "mock", "A100", "2").strip().split("\n");
        double first = Double.parseDouble(epochs[0].replace("epoch 1: loss ", ""));
        double second = Double.parseDouble(epochs[1].replace("epoch 2: loss ", ""));
        assertTrue(first < 2 && second < first / 2, () -> first + " and " + second);
    }

    private static String outputOf(Consumer<String[]> main, String... arguments) {
        PrintStream before = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
        try {
            main.accept(arguments);
        } finally {
            System.setOut(before);
        }
        return captured.toString(StandardCharsets.UTF_8);
    }
}
