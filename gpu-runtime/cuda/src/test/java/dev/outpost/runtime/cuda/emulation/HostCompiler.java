package dev.outpost.runtime.cuda.emulation;

import dev.outpost.runtime.cuda.device.KernelCompiler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The C compiler of this machine, where there is one. What it makes is a shared library. */
public final class HostCompiler implements KernelCompiler {
    private static final Pattern KERNEL =
            Pattern.compile("extern \"C\" __global__ void (?:__launch_bounds__\\([^)]+\\) )?(\\w+)\\(");
    private static final String HEADER = read("emulation.h");

    private final String command;

    private HostCompiler(String command) {
        this.command = command;
    }

    public static Optional<HostCompiler> find() {
        return Stream.of("cc", "gcc", "clang")
                .filter(HostCompiler::isOnPath)
                .findFirst()
                .map(HostCompiler::new);
    }

    private static boolean isOnPath(String name) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    @Override
    public String identity() {
        return command + HEADER.hashCode();
    }

    /** The source as C: behind the header, each kernel an ordinary function with another one that launches it. */
    static String asC(String source) {
        // A file may have several forms of one kernel, of which its words choose.
        Set<String> kernels = new LinkedHashSet<>();
        for (Matcher matcher = KERNEL.matcher(source); matcher.find(); ) {
            kernels.add(matcher.group(1));
        }
        boolean exchanges = source.contains("__syncthreads") || source.contains("_sync(");
        StringBuilder text = new StringBuilder(HEADER);
        text.append("#define EXCHANGES ").append(exchanges ? 1 : 0).append('\n');
        text.append(source.replace("extern \"C\" __global__", "static"));
        kernels.forEach(kernel -> text.append("KERNEL(").append(kernel).append(")\n"));
        return text.toString();
    }

    @Override
    public byte[] compile(String source) {
        try {
            Path folder = Files.createTempDirectory("emulated");
            Path text = Files.writeString(folder.resolve("kernel.c"), asC(source));
            Path library = folder.resolve("kernel.so");
            Path errors = folder.resolve("errors");
            Process process = new ProcessBuilder(
                            command,
                            "-std=gnu11",
                            "-O1",
                            "-w",
                            "-ffp-contract=off",
                            "-fno-strict-aliasing",
                            "-shared",
                            "-fPIC",
                            "-o",
                            library.toString(),
                            text.toString(),
                            "-lm")
                    .redirectError(errors.toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (exitOf(process) != 0) {
                throw new IllegalStateException(
                        Files.readString(errors) + "\n" + source.substring(Math.max(0, source.length() - 6000)));
            }
            byte[] image = Files.readAllBytes(library);
            for (Path file : List.of(text, library, errors, folder)) {
                Files.delete(file);
            }
            return image;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A compiler that is a library does not notice that a session ends, either. */
    private static int exitOf(Process process) {
        boolean isInterrupted = false;
        while (true) {
            try {
                int exit = process.waitFor();
                if (isInterrupted) {
                    Thread.currentThread().interrupt();
                }
                return exit;
            } catch (InterruptedException later) {
                isInterrupted = true;
            }
        }
    }

    private static String read(String resource) {
        try (InputStream in = HostCompiler.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
