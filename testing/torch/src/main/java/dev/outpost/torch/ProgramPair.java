package dev.outpost.torch;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A program of the examples, and the same program in PyTorch. Both run in processes of their own. The program in Java runs first and writes
 * its initial weights, from which PyTorch starts.
 *
 * @param java the simple name of the class
 * @param python the name of the file in {@code examples/pytorch}, without its ending
 * @param length the number of epochs or episodes
 */
record ProgramPair(String java, String python, int length) {
    private static final String PACKAGE = "dev.outpost.examples.standard.";

    /**
     * A run of one of the programs.
     *
     * @param output the printed result
     * @param losses the loss of each step
     * @param seconds the time from the first step's loss to the last metric
     * @param elapsed the time of the process in seconds
     */
    record Run(String output, List<Double> losses, double seconds, double elapsed) {}

    /** The two runs. */
    record Runs(Run outpost, Run torch) {
        /** Returns the largest difference of the losses of a step: relative for losses above 1, otherwise absolute. */
        double difference() {
            double largest = outpost.losses.size() == torch.losses.size() ? 0 : Double.POSITIVE_INFINITY;
            for (int step = 0; step < Math.min(outpost.losses.size(), torch.losses.size()); step++) {
                double expected = torch.losses.get(step);
                double difference = Math.abs(outpost.losses.get(step) - expected) / Math.max(1, Math.abs(expected));
                largest = Math.max(largest, Double.isNaN(difference) ? Double.POSITIVE_INFINITY : difference);
            }
            return largest;
        }
    }

    /** Returns why this Python cannot run the programs, or nothing. */
    static Optional<String> problem(String python) throws IOException {
        try {
            Process process = new ProcessBuilder(python, "-c", "import numpy, safetensors, torch")
                    .redirectErrorStream(true)
                    .start();
            String[] lines = text(process).strip().split("\n");
            return process.onExit().join().exitValue() == 0 ? Optional.empty() : Optional.of(lines[lines.length - 1]);
        } catch (IOException failure) {
            return Optional.of(failure.getMessage());
        }
    }

    private static String text(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** @param programs the folder {@code examples/pytorch} */
    Runs run(String pythonCommand, Path programs, Path folder) throws IOException {
        Path ours = folder.resolve("outpost");
        Run outpost = run(
                ours,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PACKAGE + java,
                        "" + length,
                        ours.toString()));
        Path theirs = folder.resolve("torch");
        Run torch = run(
                theirs,
                List.of(
                        pythonCommand,
                        programs.resolve(python + ".py").toString(),
                        "" + length,
                        theirs.toString(),
                        ours.resolve("start.safetensors").toString()));
        return new Runs(outpost, torch);
    }

    private static Run run(Path folder, List<String> command) throws IOException {
        Files.createDirectories(folder);
        File errors = folder.resolve("errors.txt").toFile();
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors);
        builder.environment().put("OUTPOST_MACHINE", "mock:any");
        long start = System.nanoTime();
        Process process = builder.start();
        String output = text(process);
        int status = process.onExit().join().exitValue();
        double elapsed = (System.nanoTime() - start) / 1e9;
        if (status != 0) {
            throw new IOException(
                    command.getLast() + " has ended with status " + status + ": " + Files.readString(errors.toPath()));
        }
        return of(folder, output.strip(), elapsed);
    }

    private static Run of(Path folder, String output, double elapsed) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("metrics.csv"));
        int loss = Arrays.asList(lines.getFirst().split(",")).indexOf("loss");
        List<Double> losses = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String cell = line.split(",", -1)[loss];
            if (!cell.isEmpty()) {
                losses.add(Double.parseDouble(cell));
            }
        }
        return new Run(output, losses, time(lines.getLast()) - time(lines.get(1)), elapsed);
    }

    private static double time(String line) {
        return Double.parseDouble(line.split(",")[1]);
    }
}
