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
 * Copies memory whenever a line comes in, on as many threads as are asked for, and answers with the time it took. The JVM's
 * compiled copies go past the caches where they are large, and so read nothing of what they write over; interpreted ones do
 * not, and take 1.3 to 1.4 times as long. What is measured are the former, whatever the JIT makes of a few calls.
 */
public final class CopyServer {
    private final float[][] sources;
    private final float[][] targets;
    private final ExecutorService threads;

    private static final int UNTIL_COMPILED = 20_000;

    private CopyServer(int threadCount, int elements) {
        sources = new float[threadCount][elements / threadCount];
        targets = new float[threadCount][elements / threadCount];
        threads = Executors.newFixedThreadPool(threadCount);
    }

    /** @param arguments the number of threads, and of float32 elements that all of them copy together */
    public static void main(String... arguments) throws Exception {
        CopyServer server = new CopyServer(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        for (int call = 0; call < UNTIL_COMPILED; call++) {
            copy(server.sources[0], server.targets[0], 1);
        }
        try {
            server.serve();
        } finally {
            server.threads.shutdown();
        }
    }

    private void serve() throws IOException, InterruptedException, ExecutionException {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (questions.readLine() != null) {
            System.out.println(copy());
        }
    }

    private long copy() throws InterruptedException, ExecutionException {
        long start = System.nanoTime();
        List<Future<?>> parts = new ArrayList<>();
        for (int part = 0; part < sources.length; part++) {
            float[] source = sources[part];
            float[] target = targets[part];
            parts.add(threads.submit(() -> copy(source, target, source.length)));
        }
        for (Future<?> part : parts) {
            part.get();
        }
        return System.nanoTime() - start;
    }

    private static void copy(float[] source, float[] target, int elements) {
        System.arraycopy(source, 0, target, 0, elements);
    }
}
