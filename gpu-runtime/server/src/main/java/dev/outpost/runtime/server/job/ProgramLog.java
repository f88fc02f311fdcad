package dev.outpost.runtime.server.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Writes the output of a program to a file, up to a limit, and sends it from there. So the output is kept while the control plane is
 * unreachable. One thread writes the file, and another thread sends it.
 */
final class ProgramLog {
    private static final long MAX = 60L << 20;
    private static final int PART = 128 * 1024;
    private static final int BUFFER = 16 * 1024;
    private static final Duration LOOK = Duration.ofMillis(300);

    private final Path file;
    private final RunnerClient client;
    private final Thread sender =
            Thread.ofPlatform().name("log-sender").daemon().unstarted(this::send);
    private Thread keeper;
    private volatile boolean isOver;
    private volatile boolean isRefused;

    ProgramLog(Path file, RunnerClient client) {
        this.file = file;
        this.client = client;
    }

    void start(InputStream output) throws IOException {
        Files.createFile(file);
        keeper = Thread.ofPlatform().name("log-keeper").daemon().start(() -> keep(output));
        sender.start();
    }

    /** Reads the output to its end, even if no more can be stored, because unread output would block the program. */
    private void keep(InputStream output) {
        try (OutputStream kept = Files.newOutputStream(file)) {
            byte[] buffer = new byte[BUFFER];
            long size = 0;
            boolean isCut = false;
            for (int read = output.read(buffer); read >= 0; read = output.read(buffer)) {
                int fitting = (int) Math.min(read, MAX - size);
                size += fitting;
                boolean isFull = isCut || !write(kept, buffer, fitting) || fitting < read;
                if (isFull && !isCut) {
                    byte[] note = "\n[the rest is not kept: the log is full]\n".getBytes(StandardCharsets.UTF_8);
                    write(kept, note, note.length);
                    size = MAX;
                    isCut = true;
                }
            }
        } catch (IOException ignored) {
            // The program has ended, and so has its output.
        }
    }

    private static boolean write(OutputStream kept, byte[] bytes, int length) {
        try {
            kept.write(bytes, 0, length);
            return true;
        } catch (IOException ignored) {
            return false;
        }
    }

    private void send() {
        long next = 0;
        try (RandomAccessFile read = new RandomAccessFile(file.toFile(), "r")) {
            while (true) {
                boolean wasOver = isOver;
                byte[] part = part(read, next);
                if (part.length > 0) {
                    long from = next;
                    next = client.call(calls -> calls.appendLog(from, part)).next();
                } else if (wasOver) {
                    return;
                } else {
                    RunnerClient.sleep(LOOK);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (RunnerClient.RefusedException ignored) {
            isRefused = true;
        }
    }

    private static byte[] part(RandomAccessFile read, long from) throws IOException {
        byte[] part = new byte[(int) Math.min(PART, read.length() - from)];
        read.seek(from);
        read.readFully(part);
        return part;
    }

    /** Waits until the control plane has accepted or refused all output. */
    void finish() throws InterruptedException {
        // A descendant of the program may still have the output open.
        keeper.join(Duration.ofSeconds(2));
        isOver = true;
        sender.join();
    }

    boolean isRefused() {
        return isRefused;
    }
}
