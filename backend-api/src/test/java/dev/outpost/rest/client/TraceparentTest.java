package dev.outpost.rest.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests under a span of the program belong to its trace. */
class TraceparentTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";

    @BeforeEach
    void setUp() {
        GlobalOpenTelemetry.resetForTest();
        GlobalOpenTelemetry.set(
                OpenTelemetry.propagating(ContextPropagators.create(W3CTraceContextPropagator.getInstance())));
    }

    @AfterEach
    void tearDown() {
        GlobalOpenTelemetry.resetForTest();
    }

    @Test
    void requestCarriesTheSpanOfItsCaller() {
        SpanContext program = SpanContext.create(TRACE, SPAN, TraceFlags.getSampled(), TraceState.getDefault());
        try (TestReplica replica = new TestReplica(Optional.empty())) {
            BackendClient client = new BackendClient(replica.access("127.0.0.1"));
            client.get("/v1/machines");
            assertFalse(replica.lines().toString().contains("traceparent"));
            try (Scope scope = Span.wrap(program).makeCurrent()) {
                client.get("/v1/machines");
            }
            String lines = replica.lines().toString();
            assertTrue(lines.contains("traceparent: 00-" + TRACE + "-" + SPAN + "-01"), lines);
        }
    }
}
