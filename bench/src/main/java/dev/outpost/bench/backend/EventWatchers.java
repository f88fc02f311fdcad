package dev.outpost.bench.backend;

import dev.outpost.rest.client.BackendClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Measures the time from a request that creates a machine until many listeners have received its event. */
record EventWatchers(int watchers, int rounds) implements BackendPart {
    private static final long TIMEOUT_SECONDS = 60;

    @Override
    public void measure(Path folder, BiConsumer<String, Double> figures) throws Exception {
        try (MeasuredBackend backend = Paper.start(folder);
                HttpClient http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            BackendClient client = backend.client();
            List<Listener> listeners = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(watchers);
            for (int i = 0; i < watchers; i++) {
                Listener listener = new Listener(begun);
                listeners.add(listener);
                http.sendAsync(request(backend), HttpResponse.BodyHandlers.fromLineSubscriber(listener));
            }
            require(begun, "all listen");
            Latencies latencies = new Latencies();
            for (int round = 0; round < rounds; round++) {
                announce(client, listeners, latencies);
            }
            figures.accept("watchers_p50_ms", latencies.quantile(0.5));
            figures.accept("watchers_p99_ms", latencies.quantile(0.99));
            figures.accept("watchers_heap_mib", backend.usedHeap());
            http.shutdownNow();
        }
    }

    private static HttpRequest request(MeasuredBackend backend) {
        return HttpRequest.newBuilder(URI.create(backend.address() + "/v1/events"))
                .header("Authorization", "Bearer " + backend.key())
                .header("Accept", "text/event-stream")
                .build();
    }

    private static void announce(BackendClient client, List<Listener> listeners, Latencies latencies) throws Exception {
        String id = UUID.randomUUID().toString();
        CountDownLatch heard = new CountDownLatch(listeners.size());
        listeners.forEach(listener -> listener.expect(id, heard));
        long begin = System.nanoTime();
        Paper.put(client, id);
        require(heard, "all have heard of machine " + id);
        listeners.forEach(listener -> latencies.add(listener.heardAt - begin));
    }

    private static void require(CountDownLatch latch, String what) throws Exception {
        if (!latch.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("not within " + Duration.ofSeconds(TIMEOUT_SECONDS) + ": " + what + "; "
                    + latch.getCount() + " are missing");
        }
    }

    /** A listener that waits for the first event of the expected machine. */
    private static final class Listener implements Flow.Subscriber<String> {
        private final CountDownLatch begun;
        private volatile String expected = "";
        private volatile CountDownLatch heard;
        private volatile long heardAt;
        private boolean hasBegun;

        Listener(CountDownLatch begun) {
            this.begun = begun;
        }

        void expect(String id, CountDownLatch latch) {
            heard = latch;
            expected = id;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            if (!hasBegun && line.startsWith("data:")) {
                hasBegun = true;
                begun.countDown();
            }
            if (!expected.isEmpty() && line.contains(expected)) {
                heardAt = System.nanoTime();
                expected = "";
                heard.countDown();
            }
        }

        @Override
        public void onError(Throwable broken) {
            // The waiting caller reports the missing event.
        }

        @Override
        public void onComplete() {
            // Handled like an error.
        }
    }
}
