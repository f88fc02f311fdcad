package dev.outpost.system.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spans of the backend and of the runtime behind a program's span are part of its trace. */
@Tag("full")
class OneTraceTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final byte[] BYTES = HexFormat.of().parseHex(TRACE);

    @TempDir
    Path folder;

    /** Sets up OpenTelemetry as a program does; the program need not record anything itself. */
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
    void clientBackendAndRuntimeAreInOneTrace() {
        SpanContext program =
                SpanContext.create(TRACE, "b7ad6b7169203331", TraceFlags.getSampled(), TraceState.getDefault());
        try (OtlpReceiver receiver = OtlpReceiver.start();
                BackendHost backend = BackendHost.start(folder, receiver.variables())) {
            try (Scope scope = Span.wrap(program).makeCurrent();
                    RemoteMachine machine = RemoteMachine.of(backend.provider(), "any", new MachineOptions())) {
                assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            }
            await(receiver, "outpost-backend", "/v1/machines/");
            await(receiver, "outpost-backend", "machine ensure");
            await(receiver, "outpost-runtime", "outpost.v1.Runtime/Control");
        }
    }

    private static void await(OtlpReceiver receiver, String service, String span) {
        Await.until(
                service + " has sent a span " + span + " of the program's trace",
                () -> receiver.has(service, span, BYTES));
    }
}
