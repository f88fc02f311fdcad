package dev.outpost.bench.generate;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * An engine in a separate process, which times itself. It reads a line with the number of texts, prompt tokens and new
 * tokens. It prints a line with prompt tokens, nanoseconds up to the first new token, later new tokens, and their
 * nanoseconds. It prints {@code ready} first.
 */
final class PeerProcess implements BenchmarkedEngine {
    private final String name;
    private final int maxTexts;
    private final Process process;
    private final BufferedReader answers;
    private final BufferedWriter requests;

    private PeerProcess(String name, int maxTexts, Process process) {
        this.name = name;
        this.maxTexts = maxTexts;
        this.process = process;
        answers = process.inputReader();
        requests = process.outputWriter();
    }

    /** Starts an engine. If it does not get ready, prints the reason and returns empty. */
    static Optional<BenchmarkedEngine> start(String name, int maxTexts, List<String> command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
            PeerProcess peer = new PeerProcess(name, maxTexts, builder.start());
            String line = peer.answers.readLine();
            while (line != null && !line.startsWith("ready")) {
                line = peer.answers.readLine();
            }
            if (line != null) {
                System.out.println(
                        name + ": " + line.substring("ready".length()).strip());
                return Optional.of(peer);
            }
            System.out.println(name + ": left out, since it does not start: " + command.getFirst());
            peer.close();
        } catch (IOException failure) {
            System.out.println(name + ": left out, " + failure.getMessage());
        }
        return Optional.empty();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<Rates> run(int texts, int promptTokens, int newTokens) {
        if (texts > maxTexts) {
            return Optional.empty();
        }
        try {
            requests.write(texts + " " + promptTokens + " " + newTokens + "\n");
            requests.flush();
            String line = answers.readLine();
            while (line != null && !line.startsWith("rates ")) {
                line = answers.readLine();
            }
            if (line == null) {
                return Optional.empty();
            }
            String[] parts = line.split(" ");
            return Optional.of(Rates.of(
                    Double.parseDouble(parts[1]),
                    Double.parseDouble(parts[2]),
                    Double.parseDouble(parts[3]),
                    Double.parseDouble(parts[4])));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
