package dev.outpost.backend.fleet;

import dev.outpost.backend.model.Command;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.store.TraceRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Trace spans of calls to clusters. They belong to the trace of the request for the machine, even if another replica makes the call. */
public final class MachineSpans {
    /** An object that records nothing. */
    public static final MachineSpans NONE = new MachineSpans(Optional.empty());

    private static final String TRACEPARENT = "traceparent";
    private static final TextMapGetter<String> GETTER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(String traceparent) {
            return List.of(TRACEPARENT);
        }

        @Override
        public String get(String traceparent, String name) {
            return name.equals(TRACEPARENT) ? traceparent : null;
        }
    };

    private final Optional<OpenTelemetry> telemetry;

    private MachineSpans(Optional<OpenTelemetry> telemetry) {
        this.telemetry = telemetry;
    }

    public static MachineSpans of(OpenTelemetry telemetry) {
        return new MachineSpans(Optional.of(telemetry));
    }

    /** Stores the trace of the request that makes a machine. */
    public void keep(Sql sql, UUID machine) {
        telemetry.ifPresent(known -> {
            Map<String, String> headers = new java.util.HashMap<>();
            known.getPropagators().getTextMapPropagator().inject(Context.current(), headers, Map::put);
            Optional.ofNullable(headers.get(TRACEPARENT)).ifPresent(trace -> TraceRows.add(sql, machine, trace));
        });
    }

    /** Makes the call, in a span if the machine has a trace. */
    <T> T in(Database database, Command command, Machine row, Supplier<T> call) {
        if (telemetry.isEmpty()) {
            return call.get();
        }
        return database.transact(sql -> TraceRows.find(sql, row.id()))
                .map(trace -> traced(telemetry.get(), trace, command, row, call))
                .orElseGet(call);
    }

    private static <T> T traced(OpenTelemetry telemetry, String trace, Command command, Machine row, Supplier<T> call) {
        Context parent = telemetry.getPropagators().getTextMapPropagator().extract(Context.root(), trace, GETTER);
        Span span = telemetry
                .getTracer("dev.outpost.backend")
                .spanBuilder("machine " + command.name().toLowerCase(Locale.ROOT))
                .setSpanKind(SpanKind.CLIENT)
                .setParent(parent)
                .setAttribute("outpost.machine", row.id().toString())
                .setAttribute("outpost.cluster", row.cluster().orElse(""))
                .startSpan();
        try (Scope scope = span.makeCurrent()) {
            return call.get();
        } catch (RuntimeException failure) {
            span.recordException(failure).setStatus(StatusCode.ERROR);
            throw failure;
        } finally {
            span.end();
        }
    }
}
