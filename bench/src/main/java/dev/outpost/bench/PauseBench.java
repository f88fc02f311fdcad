package dev.outpost.bench;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.bench.files.TemporaryFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures a pause and a resumption with files beside the raw time of writing, hashing and forcing the same bytes. */
@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description = "A pause and a resumption to files, beside raw writes of the same bytes.")
final class PauseBench implements Callable<Integer> {
    private static final int CHUNK = 8 << 20;
    private static final int TENSOR_MIB = 16;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to this file, too.")
    private Path json;

    @Option(
            names = "--mib",
            paramLabel = "N",
            defaultValue = "1024",
            description = "The size of the machine's values in MiB (default: ${DEFAULT-VALUE}).")
    private int mib;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "The number of rounds; the best one counts (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description = "The folder of the store, whose file system is measured (default: a temporary folder).")
    private Path folder;

    private final MeasuredFigures figures = new MeasuredFigures();

    @Override
    public Integer call() throws Exception {
        try (TemporaryFolder temporary = new TemporaryFolder("pause")) {
            Path place = folder == null ? temporary.path() : folder;
            double raw = Double.MAX_VALUE;
            double rawRead = Double.MAX_VALUE;
            for (int round = 0; round < rounds; round++) {
                Path files = Files.createDirectories(place.resolve("raw-" + round));
                raw = Math.min(raw, seconds(() -> writeRaw(files)));
                rawRead = Math.min(rawRead, seconds(() -> readRaw(files)));
                delete(files);
            }
            double pause = Double.MAX_VALUE;
            double resume = Double.MAX_VALUE;
            for (int round = 0; round < rounds; round++) {
                String store = "file:" + place.resolve("states-" + round);
                try (RemoteMachine machine = RemoteMachine.of(
                        "mock",
                        "any",
                        new MachineOptions().option("sources", store).store(store))) {
                    List<Tensor> values = new ArrayList<>();
                    for (int tensor = 0; tensor < mib / TENSOR_MIB; tensor++) {
                        values.add(machine.randn(TENSOR_MIB, 1 << 18));
                    }
                    machine.synchronize();
                    pause = Math.min(pause, seconds(machine::pause));
                    resume = Math.min(resume, seconds(machine::resume));
                    values.forEach(Tensor::close);
                }
            }
            figures.add("pause_seconds", pause, mib + " MiB");
            figures.add("raw_write_seconds", raw, "write, hash and force the same bytes, one file after the other");
            figures.add("pause_of_raw", pause / raw, "aim: at most 1.3");
            figures.add("resume_seconds", resume, "with the start of a machine in this JVM");
            figures.add("raw_read_seconds", rawRead, "read and hash the same bytes");
            figures.add("resume_of_raw", resume / rawRead, "aim: at most 1.3");
        }
        figures.print(System.out);
        if (json != null) {
            figures.write(json);
        }
        return 0;
    }

    /** An action of a round. */
    @FunctionalInterface
    private interface Action {
        void run() throws IOException;
    }

    private static double seconds(Action action) throws IOException {
        long start = System.nanoTime();
        action.run();
        return (System.nanoTime() - start) / 1e9;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void writeRaw(Path files) throws IOException {
        byte[] content = new byte[CHUNK];
        new Random(1).nextBytes(content);
        MessageDigest digest = sha256();
        for (long file = 0; file < (long) mib * (1 << 20) / CHUNK; file++) {
            content[0] = (byte) file;
            digest.digest(content);
            try (FileChannel out = FileChannel.open(
                    files.resolve(String.valueOf(file)), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                out.write(ByteBuffer.wrap(content));
                out.force(true);
            }
        }
    }

    private static void readRaw(Path files) throws IOException {
        MessageDigest digest = sha256();
        try (Stream<Path> found = Files.list(files)) {
            for (Path file : found.toList()) {
                digest.digest(Files.readAllBytes(file));
            }
        }
    }

    private static void delete(Path files) throws IOException {
        try (Stream<Path> found = Files.list(files)) {
            for (Path file : found.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(files);
    }
}
