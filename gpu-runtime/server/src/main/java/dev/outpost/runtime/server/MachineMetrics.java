package dev.outpost.runtime.server;

import dev.outpost.channel.Lane;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.stats.RuntimeStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.inject.Singleton;
import java.util.function.ToDoubleFunction;

/** The metrics of the machine, under the names that dashboards use. */
@Singleton
public final class MachineMetrics implements MeterBinder {
    private static final double NANOS_PER_SECOND = 1e9;

    private final RuntimeHost host;
    private final AuthFailureCounter authFailures;

    MachineMetrics(RuntimeHost host, AuthFailureCounter authFailures) {
        this.host = host;
        this.authFailures = authFailures;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bindGauges(registry);
        bindCounters(registry);
        bindTraffic(registry);
        bindRefusals(registry);
    }

    private void bindGauges(MeterRegistry registry) {
        gauge(registry, "outpost.sessions", "Sessions that have not ended", RuntimeStats::sessions);
        gauge(registry, "outpost.connections", "Connections of clients", RuntimeStats::connections);
        gauge(registry, "outpost.plans", "Plans in the cache", RuntimeStats::plans);
        gauge(
                registry,
                "outpost.live.bytes",
                "Bytes of the values of all sessions",
                s -> s.load().liveBytes());
        gauge(
                registry,
                "outpost.live.values",
                "Values of all sessions",
                s -> s.load().liveValues());
        gauge(
                registry,
                "outpost.queue.messages",
                "Messages that wait to be executed",
                s -> s.load().queuedMessages());
        gauge(
                registry,
                "outpost.queue.bytes",
                "Bytes of messages that wait to be executed",
                s -> s.load().queuedBytes());
        gauge(
                registry,
                "outpost.uploads",
                "Uploads that have begun and were not used yet",
                s -> s.load().uploads());
    }

    private void bindCounters(MeterRegistry registry) {
        counter(registry, "outpost.segments", "Segments executed", s -> s.work().segments());
        counter(registry, "outpost.kernels", "Kernels run", s -> s.work().kernels());
        counter(registry, "outpost.plans.made", "Plans made", s -> s.work().plansMade());
        counter(
                registry,
                "outpost.kernel.seconds",
                "Time in kernels",
                s -> s.work().engineNanos() / NANOS_PER_SECOND);
        counter(
                registry,
                "outpost.wait.seconds",
                "Time that sessions waited for their turn",
                s -> s.work().turnWaitNanos() / NANOS_PER_SECOND);
    }

    private void bindTraffic(MeterRegistry registry) {
        for (Lane lane : Lane.ALL) {
            bytes(registry, lane, "in", s -> s.work().traffic().in().get(lane));
            bytes(registry, lane, "out", s -> s.work().traffic().out().get(lane));
        }
    }

    private void bindRefusals(MeterRegistry registry) {
        for (RuntimeLimit limit : RuntimeLimit.values()) {
            refusals(registry, limit.label(), host, machine -> machine.stats().refusals(limit));
        }
        refusals(registry, "token", authFailures, AuthFailureCounter::total);
    }

    private void gauge(MeterRegistry registry, String name, String text, ToDoubleFunction<RuntimeStats> value) {
        Gauge.builder(name, host, machine -> value.applyAsDouble(machine.stats()))
                .description(text)
                .register(registry);
    }

    private void counter(MeterRegistry registry, String name, String text, ToDoubleFunction<RuntimeStats> value) {
        FunctionCounter.builder(name, host, machine -> value.applyAsDouble(machine.stats()))
                .description(text)
                .register(registry);
    }

    private void bytes(MeterRegistry registry, Lane lane, String direction, ToDoubleFunction<RuntimeStats> value) {
        FunctionCounter.builder("outpost.lane.bytes", host, machine -> value.applyAsDouble(machine.stats()))
                .description("Bytes of frames, as the machine sees them")
                .tag("lane", lane.label())
                .tag("direction", direction)
                .register(registry);
    }

    /** @param counting the object that counts; another object must hold it, because the meter's reference is weak */
    private static <T> void refusals(MeterRegistry registry, String limit, T counting, ToDoubleFunction<T> value) {
        FunctionCounter.builder("outpost.refused", counting, value)
                .description("Refusals, by the limit that was reached")
                .tag("limit", limit)
                .register(registry);
    }
}
