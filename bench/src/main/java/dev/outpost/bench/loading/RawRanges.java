package dev.outpost.bench.loading;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Concurrent plain requests for ranges of a file, each read into one array: the best speed that a store offers. */
final class RawRanges implements AutoCloseable {
    private static final int PART = 8 << 20;
    private static final int AT_ONCE = 8;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI file;
    private final long bytes;

    RawRanges(URI file, long bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /** Reads the whole file. Returns the nanoseconds. */
    long run() throws InterruptedException {
        AtomicLong next = new AtomicLong();
        long begin = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < AT_ONCE; thread++) {
                all.add(threads.submit(() -> readParts(next)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure.getCause());
        }
        return System.nanoTime() - begin;
    }

    private void readParts(AtomicLong next) {
        byte[] target = new byte[PART];
        for (long from = next.getAndAdd(PART); from < bytes; from = next.getAndAdd(PART)) {
            read(from, (int) Math.min(PART, bytes - from), target);
        }
    }

    private void read(long from, int count, byte[] target) {
        HttpRequest request = HttpRequest.newBuilder(file)
                .header("Range", "bytes=" + from + "-" + (from + count - 1))
                .build();
        try {
            HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                int got = body.readNBytes(target, 0, count);
                if (answer.statusCode() != 206 || got != count) {
                    throw new IllegalStateException("status " + answer.statusCode() + ", " + got + " bytes");
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
