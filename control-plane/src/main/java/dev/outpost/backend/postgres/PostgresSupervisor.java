package dev.outpost.backend.postgres;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Starts the embedded PostgreSQL again when its process has ended: immediately, and if that fails, after pauses that grow. Bounds its log.
 * Thread-safe.
 */
public final class PostgresSupervisor implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(PostgresSupervisor.class);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** A database server that can be restarted. */
    interface Server extends AutoCloseable {
        boolean isRunning() throws IOException;

        /** Starts the server again at its previous address. */
        void restart() throws IOException;

        /** Returns the log file, in which an operator finds the reason why the server has ended. */
        String log();

        /** Keeps the log from growing without bound, while the server writes it. */
        void boundLog() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** Waits for a time. Tests replace it. */
    interface Sleeper {
        void sleep(Duration time) throws InterruptedException;
    }

    private final Server server;
    private final Sleeper sleeper;
    private final Thread thread;
    private volatile Optional<String> trouble = Optional.empty();
    private volatile int restarts;

    private PostgresSupervisor(Server server, Sleeper sleeper) {
        this.server = server;
        this.sleeper = sleeper;
        this.thread = Thread.ofPlatform().name("outpost-postgres").daemon().unstarted(this::watch);
    }

    /** Begins to watch a running server. */
    public static PostgresSupervisor of(PostgresServer server) {
        return start(server, Thread::sleep);
    }

    static PostgresSupervisor start(Server server, Sleeper sleeper) {
        PostgresSupervisor supervisor = new PostgresSupervisor(server, sleeper);
        supervisor.thread.start();
        return supervisor;
    }

    /** Returns the reason why the server does not run now; empty while it runs. */
    public Optional<String> trouble() {
        return trouble;
    }

    /** Returns the number of restarts of the server. */
    public int restarts() {
        return restarts;
    }

    private void watch() {
        try {
            while (true) {
                sleeper.sleep(LOOK);
                if (!isRunning()) {
                    restart();
                }
                boundLog();
            }
        } catch (InterruptedException interrupted) {
            // The supervisor was closed.
        }
    }

    /** Returns true if the server runs, or if the check itself failed. */
    private boolean isRunning() {
        try {
            return server.isRunning();
        } catch (IOException failure) {
            LOG.debug("postgres", failure);
            return true;
        }
    }

    private void boundLog() {
        try {
            server.boundLog();
        } catch (IOException failure) {
            LOG.debug("postgres", failure);
        }
    }

    private void restart() throws InterruptedException {
        String ended = "the embedded PostgreSQL has ended; its log is " + server.log();
        trouble = Optional.of(ended);
        LOG.errorf("%s; it is started again", ended);
        Duration pause = FIRST_PAUSE;
        while (!isRestarted(ended, pause)) {
            sleeper.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
        restarts++;
        trouble = Optional.empty();
        LOG.warnf("the embedded PostgreSQL runs again, restart %d", restarts);
    }

    private boolean isRestarted(String ended, Duration pause) {
        try {
            if (!server.isRunning()) {
                server.restart();
            }
            return true;
        } catch (IOException failure) {
            trouble = Optional.of(ended + "; it cannot be started: " + failure.getMessage());
            LOG.errorf("%s; it is tried again in %s", failure.getMessage(), pause);
            return false;
        }
    }

    /** Stops watching the server, and stops the server. */
    @Override
    public void close() throws IOException {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        server.close();
    }
}
