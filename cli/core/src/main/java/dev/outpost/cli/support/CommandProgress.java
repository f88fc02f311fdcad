package dev.outpost.cli.support;

import dev.outpost.client.start.ProgressMode;
import dev.outpost.client.start.Terminal;
import dev.outpost.metrics.ProgressBar;
import java.io.FilterOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import picocli.CommandLine;

/**
 * Shows on standard error what a command does if that takes longer than two seconds: a bar with rate and time left where the amount of work
 * is known, otherwise the time. A terminal has one line, of the newest task, which is erased before other output and at the end. A pipe
 * receives plain lines. Thread-safe.
 */
public final class CommandProgress {
    private static final Duration SHOW_AFTER = Duration.ofSeconds(2);
    private static final Duration TICK = Duration.ofMillis(250);
    private static final CommandProgress SYSTEM =
            new CommandProgress(new PrintWriter(System.err, true), Terminal.showsErrors(), isWanted(), SHOW_AFTER);

    private final PrintWriter err;
    private final boolean isTerminal;
    private final boolean isShown;
    private final Duration showAfter;
    private final Deque<Task> tasks = new ArrayDeque<>();

    /** @param isTerminal true if a line can be redrawn in place */
    CommandProgress(PrintWriter err, boolean isTerminal, boolean isShown, Duration showAfter) {
        this.err = err;
        this.isTerminal = isTerminal;
        this.isShown = isShown;
        this.showAfter = showAfter;
    }

    private static boolean isWanted() {
        try {
            return ProgressMode.configured() != ProgressMode.OFF;
        } catch (IllegalArgumentException ignored) {
            // The start of a machine refuses the setting.
            return true;
        }
    }

    /** Returns the progress of this process. {@code OUTPOST_PROGRESS=off} hides it. */
    public static CommandProgress ofProcess() {
        return SYSTEM;
    }

    /** Makes a command line show that a command still works until the command prints something or ends. */
    public void attachTo(CommandLine commandLine) {
        System.setOut(erasing(System.out));
        commandLine.setOut(new PrintWriter(System.out, true));
        // The line itself goes to the stream of before.
        System.setErr(erasing(System.err));
        commandLine.setErr(new PrintWriter(System.err, true));
        commandLine.setExecutionStrategy(arguments -> {
            try (Task command = begin(name(arguments), true, new ProgressBar(-1, err, isTerminal), () -> 0)) {
                return new CommandLine.RunLast().execute(arguments);
            }
        });
    }

    private static String name(CommandLine.ParseResult arguments) {
        CommandLine.ParseResult last = arguments;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        return last.commandSpec().qualifiedName();
    }

    /** Begins a task of unknown length. */
    public Task waiting(String title) {
        return begin(title, false, new ProgressBar(-1, err, isTerminal), () -> 0);
    }

    /**
     * Begins a task.
     *
     * @param unit what the steps are, such as {@code changes}
     * @param all the number of steps; negative if it is not known
     * @param done returns the number of steps that are done; called from another thread, until it fails
     */
    public Task steps(String title, String unit, long all, LongSupplier done) {
        return begin(title, false, new ProgressBar(all, err, isTerminal).unit(unit), done);
    }

    /**
     * Begins a transfer.
     *
     * @param all the number of bytes; negative if it is not known
     * @param done returns the number of transferred bytes; called from another thread, until it fails
     */
    public Task bytes(String title, long all, LongSupplier done) {
        return begin(title, false, new ProgressBar(all, err, isTerminal).bytes(), done);
    }

    private Task begin(String title, boolean untilOutput, ProgressBar bar, LongSupplier done) {
        Task task = new Task(bar.title(title).passing(showAfter), untilOutput, done);
        synchronized (tasks) {
            if (!tasks.isEmpty()) {
                tasks.peek().bar.erase();
            }
            tasks.push(task);
        }
        if (isShown) {
            task.ticker.start();
        }
        return task;
    }

    /** Erases the line, because something else is printed or asked. Ends what is shown only until then. */
    public void beforeOutput() {
        synchronized (tasks) {
            tasks.forEach(task -> task.bar.erase());
            tasks.stream().filter(task -> task.untilOutput).toList().forEach(Task::close);
        }
    }

    /** Returns a stream that erases the line before each output. */
    PrintStream erasing(PrintStream target) {
        OutputStream erasing = new FilterOutputStream(target) {
            @Override
            public void write(int next) {
                beforeOutput();
                target.write(next);
            }

            @Override
            public void write(byte[] bytes, int from, int count) {
                beforeOutput();
                target.write(bytes, from, count);
            }
        };
        return new PrintStream(erasing, true, target.charset());
    }

    /** Something that takes time. It is over when it is closed. */
    public final class Task implements AutoCloseable {
        private final ProgressBar bar;
        private final boolean untilOutput;
        private final LongSupplier done;
        private final Thread ticker =
                Thread.ofVirtual().name("outpost-progress").unstarted(this::run);

        private Task(ProgressBar bar, boolean untilOutput, LongSupplier done) {
            this.bar = bar;
            this.untilOutput = untilOutput;
            this.done = done;
        }

        private void run() {
            try {
                while (true) {
                    Thread.sleep(TICK);
                    long now = done.getAsLong();
                    synchronized (tasks) {
                        if (tasks.peek() == this && !(isTerminal && Terminal.hasLine())) {
                            bar.at(now);
                        }
                    }
                }
            } catch (InterruptedException interrupted) {
                // The task is over.
            } catch (RuntimeException ignored) {
                // The work itself reports why its progress cannot be read.
            }
        }

        @Override
        public void close() {
            ticker.interrupt();
            synchronized (tasks) {
                if (tasks.remove(this)) {
                    bar.close();
                }
            }
        }
    }
}
