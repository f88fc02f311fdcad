package dev.outpost.torch.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/** A Python process that runs {@code torch_peer.py}. It is ended if it does not answer a question in time. */
final class TorchProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NO_MORE = "";

    private final Process process;
    private final BufferedWriter questions;
    private final SynchronousQueue<String> answers = new SynchronousQueue<>();
    private final Thread reader;

    private TorchProcess(Process process) {
        this.process = process;
        questions = process.outputWriter(StandardCharsets.UTF_8);
        // On a platform thread, because a read from a pipe blocks the carrier of a virtual thread.
        reader = Thread.ofPlatform().daemon().start(this::read);
    }

    static TorchProcess start(String python) throws IOException {
        return new TorchProcess(new ProcessBuilder(python, "-c", script())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    private static String script() {
        return script("torch_peer.py");
    }

    /** Returns the text of a script next to this class. */
    static String script(String name) {
        try (InputStream script = TorchProcess.class.getResourceAsStream(name)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.put(line);
            }
            answers.put(NO_MORE);
        } catch (IOException | InterruptedException ignored) {
            // The process has been ended, so no more answers come.
        }
    }

    void send(Object message) throws IOException {
        questions.write(JSON.writeValueAsString(message));
        questions.newLine();
        questions.flush();
    }

    /** Waits for the next answer. */
    JsonNode answer(Duration limit) throws IOException {
        try {
            String line = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                throw new IOException("no answer within " + limit.toSeconds() + " s");
            }
            if (line.equals(NO_MORE)) {
                throw new IOException(
                        "it has ended, with status " + process.onExit().join().exitValue());
            }
            return JSON.readTree(line);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        reader.interrupt();
    }
}
