package dev.outpost.provider.process;

import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.process.state.MachineFolder;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The lines of a machine's log: the output of its process, and the log of its runtime. */
final class LogLines {
    /** The bytes at the end of a log in which the lines of a runner are searched. */
    private static final int RUNNER_BYTES = 64 << 10;

    private static final int PIECE_BYTES = 1 << 20;
    private static final Duration GLANCE = Duration.ofMillis(100);

    private final MachineFolder machine;
    private final MultiEmitter<? super String> emitter;
    private final List<Tail> tails;

    private LogLines(MachineFolder machine, MultiEmitter<? super String> emitter) {
        this.machine = machine;
        this.emitter = emitter;
        this.tails = List.of(new Tail(MachineFolder.OUTPUT), new Tail(MachineFolder.LOG));
    }

    /** Emits the lines; each subscription begins at the first one. */
    static Multi<String> of(MachineFolder machine, boolean follow) {
        return Multi.createFrom().emitter(emitter -> {
            Thread reader = Thread.ofVirtual().unstarted(() -> new LogLines(machine, emitter).read(follow));
            emitter.onTermination(reader::interrupt);
            reader.start();
        });
    }

    /**
     * Returns the lines that a runner has printed about itself, from the end of the log that it shares with the
     * runtime.
     */
    static List<String> ofRunner(MachineFolder machine) throws IOException {
        Path file = machine.path().resolve(MachineFolder.LOG);
        if (!Files.exists(file)) {
            return List.of();
        }
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[(int) Math.min(content.length(), RUNNER_BYTES)];
            content.seek(content.length() - bytes.length);
            content.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(JobRun.LOG_PREFIX))
                    .map(line -> line.substring(JobRun.LOG_PREFIX.length()))
                    .toList();
        }
    }

    private void read(boolean follow) {
        try {
            boolean isOver;
            do {
                // Check this before reading, so that the last lines of a process that ends meanwhile are read too.
                isOver = !follow || !machine.isAlive();
                for (Tail tail : tails) {
                    tail.emitNew(isOver);
                }
                if (!isOver) {
                    Thread.sleep(GLANCE);
                }
            } while (!isOver && !emitter.isCancelled());
            emitter.complete();
        } catch (IOException failure) {
            emitter.fail(failure);
        } catch (InterruptedException interrupted) {
            emitter.complete();
        }
    }

    /** Reads the new lines at the end of a file. */
    private final class Tail {
        private final String file;
        private long read;

        private Tail(String file) {
            this.file = file;
        }

        /** @param all true to also emit a last line without a line end, because nothing follows */
        private void emitNew(boolean all) throws IOException {
            Path path = machine.path().resolve(file);
            if (!path.toFile().exists()) {
                return;
            }
            try (RandomAccessFile content = new RandomAccessFile(path.toFile(), "r")) {
                // The process may have truncated its log.
                read = Math.min(read, content.length());
                byte[] bytes = new byte[(int) Math.min(content.length() - read, PIECE_BYTES)];
                content.seek(read);
                int count = Math.max(0, content.read(bytes));
                int whole = all ? count : wholeLines(bytes, count);
                read += whole;
                new String(bytes, 0, whole, StandardCharsets.UTF_8).lines().forEach(emitter::emit);
            }
        }

        /**
         * Returns the number of bytes up to the end of the last line. If the buffer is full without a line end, all
         * of it counts as a line, because a line end may never follow.
         */
        private static int wholeLines(byte[] bytes, int count) {
            for (int last = count - 1; last >= 0; last--) {
                if (bytes[last] == '\n') {
                    return last + 1;
                }
            }
            return count == PIECE_BYTES ? count : 0;
        }
    }
}
