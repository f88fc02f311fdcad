package dev.outpost.provider.process.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The GPUs of this host, as NVIDIA's driver lists them. */
final class HostGpus {
    /** A folder for each GPU, with a file that describes it. */
    static final Path OF_THIS_HOST = Path.of("/proc/driver/nvidia/gpus");

    private static final String INFORMATION = "information";

    private HostGpus() {}

    /** Lists the GPUs in the driver's order; empty without a driver. */
    static List<HostGpu> list(Path folder) {
        try (Stream<Path> gpus = Files.list(folder)) {
            return gpus.sorted().map(HostGpus::read).flatMap(Optional::stream).toList();
        } catch (NoSuchFileException | NotDirectoryException ignored) {
            return List.of();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Optional<HostGpu> read(Path gpu) {
        try {
            List<String> lines = Files.readAllLines(gpu.resolve(INFORMATION));
            return value(lines, "GPU UUID")
                    .flatMap(uuid -> value(lines, "Model").map(model -> new HostGpu(uuid, model, file(lines))));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns the device file of a GPU. A driver that does not list it has one GPU in practice. */
    private static Path file(List<String> lines) {
        return Path.of("/dev/nvidia" + value(lines, "Device Minor").orElse("0"));
    }

    private static Optional<String> value(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }
}
