package dev.outpost.support.tests;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The AOT cache of a program that tests start as a process. It contains the classes of the program as a JVM has loaded and linked them, so
 * a start takes about half of the CPU time. The first test that needs the cache makes it, by one run of the program. Later tests and test
 * JVMs use the file until the program is built again.
 */
public final class AotCache {
    private AotCache() {}

    /**
     * A run of the program from which the cache is made.
     *
     * @param jvm the options of the JVM, which all processes that use the cache must have
     * @param arguments the arguments of the program
     * @param lastLine the begin of the line by which the program says that it is ready
     * @param use uses the program, whose lines until then it gets
     */
    public record Training(List<String> jvm, List<String> arguments, String lastLine, Consumer<List<String>> use) {}

    /** Returns the JVM options by which a process of the jar uses the cache. */
    public static synchronized List<String> options(Path jar, Training training) {
        // Another JVM would refuse it.
        String name = "tests-" + System.getProperty("java.vm.version") + ".aot";
        Path cache = jar.resolveSibling(name).toAbsolutePath();
        try (FileChannel channel = FileChannel.open(
                cache.resolveSibling("tests.aot.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // Closing the channel releases it.
            channel.lock();
            if (!isFresh(cache, jar)) {
                train(cache, jar, training);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return List.of("-XX:AOTCache=" + cache, "-Xlog:disable");
    }

    private static boolean isFresh(Path cache, Path jar) throws IOException {
        return Files.exists(cache) && Files.getLastModifiedTime(cache).compareTo(Files.getLastModifiedTime(jar)) > 0;
    }

    private static void train(Path cache, Path jar, Training training) throws IOException {
        Path fresh = cache.resolveSibling("tests.aot.new");
        Path said = cache.resolveSibling("tests.aot.log");
        Files.deleteIfExists(fresh);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(training.jvm());
        command.addAll(List.of("-XX:AOTCacheOutput=" + fresh, "-jar", jar.toString()));
        command.addAll(training.arguments());
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(said.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("OUTPOST_"));
        Process program = builder.start();
        try {
            training.use().accept(announced(program.inputReader(), training.lastLine(), said));
            program.destroy();
            Await.ended("the program has ended and its cache is written", program);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        } finally {
            program.destroyForcibly();
        }
        if (!Files.exists(fresh)) {
            throw new AssertionError("no AOT cache of " + jar + " was written:\n" + Files.readString(said));
        }
        // Processes of other users read it, too.
        File file = fresh.toFile();
        if (!file.setReadable(true, false)) {
            throw new IOException("the rights of " + fresh + " cannot be changed");
        }
        Files.move(fresh, cache, StandardCopyOption.ATOMIC_MOVE);
    }

    private static List<String> announced(BufferedReader lines, String lastLine, Path said) throws IOException {
        List<String> announced = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            announced.add(line);
            if (line.startsWith(lastLine)) {
                return announced;
            }
        }
        throw new AssertionError("the program did not start:\n" + Files.readString(said));
    }
}
