package dev.outpost.gpucheck.pack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The archive: {@code gpu-check/gpu-check}, which starts it, {@code gpu-check/runtime} with the Java that it needs,
 * {@code gpu-check/lib} with its jars, and {@code gpu-check/parity} with the parity pack, if one was given. It needs a driver, NVRTC and
 * cuBLASLt on the machine where it is unpacked.
 */
public final class GpuCheckPack {
    /** The largest size of a pack, so that it can be sent anywhere. */
    public static final long LIMIT_BYTES = 60_000_000;

    private static final String NAME = "gpu-check";
    private static final String VECTORS = "jdk.incubator.vector";
    private static final String MODULES = "java.base,java.logging," + VECTORS;
    private static final String SCRIPT = """
            #!/bin/sh
            # Computes on the GPU of this machine: gpu-check [--output DIR] [--seed NUMBER]
            set -eu
            here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
            exec "$here/runtime/bin/java" --enable-native-access=ALL-UNNAMED -cp "$here/lib/*" \\
                dev.outpost.gpucheck.GpuCheckCommand --parity "$here/parity" "$@"
            """;

    private GpuCheckPack() {}

    /**
     * Writes the archive.
     *
     * @param parity the folder of the parity pack
     * @return its size in bytes
     * @throws IOException if it cannot be written, or would be larger than {@link #LIMIT_BYTES}
     */
    public static long write(Path archive, Path parity) throws IOException {
        Path work = Files.createTempDirectory("outpost-pack");
        try {
            Path root = Files.createDirectory(work.resolve(NAME));
            fill(root, parity);
            Path packed = work.resolve("packed.tar.gz");
            run(List.of("tar", "--create", "--gzip", "--file", packed.toString(), "-C", work.toString(), NAME));
            return deliver(packed, archive);
        } finally {
            delete(work);
        }
    }

    private static void fill(Path root, Path parity) throws IOException {
        linkRuntime(root.resolve("runtime"));
        ClassPathParts.copyTo(Files.createDirectory(root.resolve("lib")));
        if (Files.isDirectory(parity)) {
            Path folder = Files.createDirectory(root.resolve("parity"));
            for (String file : List.of("cases.jsonl", "tensors.safetensors", "known-differences.txt")) {
                Files.copy(parity.resolve(file), folder.resolve(file));
            }
        }
        Path script = Files.writeString(root.resolve(NAME), SCRIPT);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void linkRuntime(Path target) throws IOException {
        JdkTool.run(
                "jlink",
                "--add-modules",
                MODULES,
                // The hosts of a group compute sums with vectors.
                "--add-options=--add-modules=" + VECTORS,
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--compress",
                "zip-9",
                "--output",
                target.toString());
    }

    private static long deliver(Path packed, Path archive) throws IOException {
        long bytes = Files.size(packed);
        if (bytes > LIMIT_BYTES) {
            throw new IOException("gpu-check: the pack is too large, got " + bytes + " bytes of at most " + LIMIT_BYTES
                    + ": see what came into its runtime or its jars");
        }
        Files.copy(packed, archive, StandardCopyOption.REPLACE_EXISTING);
        return bytes;
    }

    private static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        try {
            if (process.waitFor() != 0) {
                throw new IOException(command.getFirst() + ": failed: " + output.strip());
            }
        } catch (InterruptedException interrupted) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException(command.getFirst() + ": interrupted", interrupted);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
