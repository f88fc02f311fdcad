package dev.outpost.runtime.cuda.emulation;

import dev.outpost.runtime.cuda.device.KernelCompiler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The C compiler of this machine, if there is one. It makes shared libraries. */
public final class HostCompiler implements KernelCompiler {
    private static final Pattern KERNEL =
            Pattern.compile("extern \"C\" __global__ void (?:__launch_bounds__\\([^)]+\\) )?(\\w+)\\(");
    private static final String HEADER = read("emulation.h");

    private static final List<String> FLAGS =
            List.of("-std=gnu11", "-O1", "-w", "-ffp-contract=off", "-fno-strict-aliasing", "-shared", "-fPIC");
    /** Compiled kernels, by the digest of their text, the flags and the compiler's version. */
    private static final Path KEPT = Path.of("target", "emulated-kernels");

    private final String command;
    private final String version;

    private HostCompiler(String command) {
        this.command = command;
        this.version = version(command);
    }

    private static String version(String command) {
        try {
            Process process = new ProcessBuilder(command, "--version").start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
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

    /** The source as C: after the header, each kernel is an ordinary function with a second function that launches it. */
    static String asC(String source) {
        // A file may contain several forms of one kernel, and its macros choose one.
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

    /** Libraries that this or an earlier run of the module has compiled are read from its build folder. */
    @Override
    public byte[] compile(String source) {
        try {
            String text = asC(source);
            Path kept = KEPT.resolve(HexFormat.of().formatHex(digest(FLAGS + version + text)) + ".so");
            return Files.exists(kept) ? Files.readAllBytes(kept) : compile(text, kept);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private byte[] compile(String text, Path kept) throws IOException {
        Files.createDirectories(KEPT);
        Path folder = Files.createTempDirectory("emulated");
        Path code = Files.writeString(folder.resolve("kernel.c"), text);
        // In the same folder as the target, so that the file appears there whole even if two JVMs compile it.
        Path library = Files.createTempFile(KEPT, "kernel", ".so");
        Path errors = folder.resolve("errors");
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(FLAGS);
        arguments.addAll(List.of("-o", library.toString(), code.toString(), "-lm"));
        Process process = new ProcessBuilder(arguments)
                .redirectError(errors.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (exitOf(process) != 0) {
            Files.delete(library);
            throw new IllegalStateException(
                    Files.readString(errors) + "\n" + text.substring(Math.max(0, text.length() - 6000)));
        }
        byte[] image = Files.readAllBytes(library);
        Files.move(library, kept, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        for (Path file : List.of(code, errors, folder)) {
            Files.delete(file);
        }
        return image;
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Ignores interrupts until the end, as a compiler that is a library does. */
    private static int exitOf(Process process) {
        boolean isInterrupted = false;
        while (true) {
            try {
                int exit = process.waitFor();
                if (isInterrupted) {
                    Thread.currentThread().interrupt();
                }
                return exit;
            } catch (InterruptedException interrupted) {
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
