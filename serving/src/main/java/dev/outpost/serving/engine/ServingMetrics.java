package dev.outpost.serving.engine;

import dev.outpost.inference.BatchListener;
import dev.outpost.inference.BatchStatistics;
import dev.outpost.inference.Finish;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of a server, under the names that vLLM's users know: {@code vllm:num_requests_running} and so on, with
 * the tag {@code model_name}. Counters continue when a model is loaded again.
 */
@Singleton
public final class ServingMetrics {
    private static final Duration[] FIRST_TOKEN = seconds(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60);
    private static final Duration[] NEXT_TOKEN = seconds(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5);
    private static final Duration[] REQUEST = seconds(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600);

    private final MeterRegistry registry;
    private final Map<String, Counts> counts = new ConcurrentHashMap<>();
    private volatile Consumer<String> whenFirstToken = name -> {};

    public ServingMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** The counts of a model over all its engines. */
    private static final class Counts {
        final AtomicLong newTokens = new AtomicLong();
        final AtomicLong promptTokens = new AtomicLong();
        final AtomicLong cachedTokens = new AtomicLong();
        private long preemptionsBefore;
        private long preemptionsNow;

        /** Returns the sum over all engines, because a new engine counts from 0. */
        synchronized double preemptions(long now) {
            if (now < preemptionsNow) {
                preemptionsBefore += preemptionsNow;
            }
            preemptionsNow = now;
            return preemptionsBefore + now;
        }
    }

    void bind(List<String> names, Function<String, Optional<ServedModel>> find) {
        for (String name : names) {
            Counts own = new Counts();
            counts.put(name, own);
            gauge("vllm:num_requests_running", "Requests that are computed", name, find, BatchStatistics::running);
            gauge("vllm:num_requests_waiting", "Requests that wait", name, find, BatchStatistics::waiting);
            gauge("vllm:kv_cache_usage_perc", "The used part of the cache, 0 to 1", name, find, BatchStatistics::use);
            counter("vllm:prompt_tokens", "Tokens of prompts", name, own.promptTokens);
            counter("vllm:generation_tokens", "Tokens that were generated", name, own.newTokens);
            counter("vllm:prefix_cache_queries", "Tokens of prompts that were looked up", name, own.promptTokens);
            counter("vllm:prefix_cache_hits", "Tokens of prompts that were computed before", name, own.cachedTokens);
            FunctionCounter.builder(
                            "vllm:num_preemptions",
                            own,
                            all -> all.preemptions(statistics(find, name)
                                    .map(BatchStatistics::preemptions)
                                    .orElse(0L)))
                    .tag("model_name", name)
                    .description("Texts that had to make room")
                    .register(registry);
        }
    }

    /** Binds the metrics of one deployment, unless they are bound already. */
    public synchronized void bindDeployment(String name, Function<String, Optional<ServedModel>> find) {
        if (!counts.containsKey(name)) {
            bind(List.of(name), find);
        }
    }

    private void gauge(
            String meter,
            String description,
            String name,
            Function<String, Optional<ServedModel>> find,
            ToDoubleFunction<BatchStatistics> value) {
        Gauge.builder(
                        meter,
                        () -> statistics(find, name).map(value::applyAsDouble).orElse(0.0))
                .tag("model_name", name)
                .description(description)
                .register(registry);
    }

    private static Optional<BatchStatistics> statistics(Function<String, Optional<ServedModel>> find, String name) {
        return find.apply(name)
                .filter(GeneratingModel.class::isInstance)
                .map(model -> ((GeneratingModel) model).statistics());
    }

    /** @param value held by this object, since the registry does not keep it */
    private void counter(String meter, String description, String name, AtomicLong value) {
        FunctionCounter.builder(meter, value, AtomicLong::get)
                .tag("model_name", name)
                .description(description)
                .register(registry);
    }

    /** @param listener called with the name of a model that has made the first token of a text; it must not block */
    public void onFirstToken(Consumer<String> listener) {
        whenFirstToken = listener;
    }

    BatchListener listener(String name) {
        Counts own = counts.get(name);
        Timer first = timer("vllm:time_to_first_token", "Until the first token", name, FIRST_TOKEN);
        Timer next = timer("vllm:time_per_output_token", "Between tokens", name, NEXT_TOKEN);
        Timer whole = timer("vllm:e2e_request_latency", "Until a text is whole", name, REQUEST);
        return new BatchListener() {
            @Override
            public void firstToken(long nanos) {
                own.newTokens.incrementAndGet();
                first.record(nanos, TimeUnit.NANOSECONDS);
                whenFirstToken.accept(name);
            }

            @Override
            public void nextToken(long nanos) {
                own.newTokens.incrementAndGet();
                next.record(nanos, TimeUnit.NANOSECONDS);
            }

            @Override
            public void finished(Finish finish, long nanos) {
                own.promptTokens.addAndGet(finish.promptTokens());
                own.cachedTokens.addAndGet(finish.cachedTokens());
                whole.record(nanos, TimeUnit.NANOSECONDS);
                registry.counter(
                                "vllm:request_success",
                                "model_name",
                                name,
                                "finished_reason",
                                finish.reason().name().toLowerCase(Locale.ROOT))
                        .increment();
            }
        };
    }

    private Timer timer(String meter, String description, String name, Duration[] bounds) {
        return Timer.builder(meter)
                .tag("model_name", name)
                .description(description)
                .serviceLevelObjectives(bounds)
                .register(registry);
    }

    private static Duration[] seconds(double... bounds) {
        Duration[] all = new Duration[bounds.length];
        for (int bound = 0; bound < bounds.length; bound++) {
            all[bound] = Duration.ofNanos((long) (bounds[bound] * 1e9));
        }
        return all;
    }
}
