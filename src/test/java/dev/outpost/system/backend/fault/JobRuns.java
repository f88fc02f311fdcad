package dev.outpost.system.backend.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Observes which runs of jobs live: each program holds a connection while it runs. See {@link TimedProgram}. */
final class JobRuns implements AutoCloseable {
    private final ServerSocket server;
    private final Map<String, Integer> present = new HashMap<>();
    private final Map<String, Integer> most = new HashMap<>();
    private final Map<String, Integer> begun = new HashMap<>();
    private final Set<String> finished = new HashSet<>();

    private JobRuns(ServerSocket server) {
        this.server = server;
    }

    static JobRuns listen() throws IOException {
        JobRuns runs = new JobRuns(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        Thread.ofVirtual().start(runs::accept);
        return runs;
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket run = server.accept();
                Thread.ofVirtual().start(() -> hold(run));
            }
        } catch (IOException ignored) {
            // The test is over.
        }
    }

    private void hold(Socket run) {
        try (run) {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(run.getInputStream(), StandardCharsets.US_ASCII));
            String job = lines.readLine();
            if (job != null) {
                hold(job, lines);
            }
        } catch (IOException ignored) {
            // The program was killed before it sent anything.
        }
    }

    private void hold(String job, BufferedReader lines) {
        begin(job);
        try {
            if ("0".equals(lines.readLine())) {
                finish(job);
            }
            lines.readLine();
        } catch (IOException ignored) {
            // The program was killed.
        } finally {
            end(job);
        }
    }

    private synchronized void begin(String job) {
        begun.merge(job, 1, Integer::sum);
        most.merge(job, present.merge(job, 1, Integer::sum), Math::max);
    }

    private synchronized void finish(String job) {
        finished.add(job);
    }

    private synchronized void end(String job) {
        present.merge(job, -1, Integer::sum);
    }

    /** The number of begun runs of a job. */
    synchronized int begun(String job) {
        return begun.getOrDefault(job, 0);
    }

    /** The maximum number of concurrent runs of a job. */
    synchronized int most(String job) {
        return most.getOrDefault(job, 0);
    }

    /** Returns true if a run of the job was about to end with 0. */
    synchronized boolean hasFinished(String job) {
        return finished.contains(job);
    }

    /** The number of running programs. */
    synchronized int present() {
        return present.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
