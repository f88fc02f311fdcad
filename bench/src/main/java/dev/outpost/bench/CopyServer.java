package dev.outpost.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Copies memory each time a line names a {@link Stride}, on a given number of threads, and returns the time. The measured
 * copies are compiled, independent of the JIT's choices for a few calls.
 */
public final class CopyServer {
    private static final int UNTIL_COMPILED = 20_000;
    /** The number of elements of a piece: so few that the JVM copies them through the caches. */
    private static final int PIECE = 1 << 14;

    private final float[][] sources;
    private final float[][] targets;
    private final ExecutorService threads;

    /** The size of the part that a thread copies with one call. */
    enum Stride {
        /** All elements of the thread: the JVM bypasses the caches, and does not read the overwritten lines. */
        WHOLE,
        /** Pieces of 64 KiB through the caches: each written line is read first, as with all stores of Java code. */
        PIECES
    }

    private CopyServer(int threadCount, int elements) {
        sources = new float[threadCount][elements / threadCount];
        targets = new float[threadCount][elements / threadCount];
        threads = Executors.newFixedThreadPool(threadCount);
    }

    /** @param arguments the number of threads, and the number of float32 elements that all threads copy together */
    public static void main(String... arguments) throws Exception {
        CopyServer server = new CopyServer(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        for (int call = 0; call < UNTIL_COMPILED; call++) {
            copy(server.sources[0], server.targets[0], 0, 1);
        }
        try {
            server.serve();
        } finally {
            server.threads.shutdown();
        }
    }

    private void serve() throws IOException, InterruptedException, ExecutionException {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String question = questions.readLine(); question != null; question = questions.readLine()) {
            System.out.println(copy(Stride.valueOf(question)));
        }
    }

    private long copy(Stride stride) throws InterruptedException, ExecutionException {
        long start = System.nanoTime();
        List<Future<?>> parts = new ArrayList<>();
        for (int part = 0; part < sources.length; part++) {
            float[] source = sources[part];
            float[] target = targets[part];
            int step = stride == Stride.WHOLE ? source.length : PIECE;
            parts.add(threads.submit(() -> {
                for (int from = 0; from < source.length; from += step) {
                    copy(source, target, from, Math.min(step, source.length - from));
                }
            }));
        }
        for (Future<?> part : parts) {
            part.get();
        }
        return System.nanoTime() - start;
    }

    private static void copy(float[] source, float[] target, int from, int elements) {
        System.arraycopy(source, from, target, from, elements);
    }
}
