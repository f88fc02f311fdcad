package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.outpost.backend.model.Command;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.usage.Machines;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Calls to clusters continue the trace of the request for the machine. */
class MachineSpansTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    @Test
    void callContinuesTheTraceOfTheRequest() {
        SpanContext request =
                SpanContext.create(TRACE, "b7ad6b7169203331", TraceFlags.getSampled(), TraceState.getDefault());
        MachineSpans spans = MachineSpans.of(
                OpenTelemetry.propagating(ContextPropagators.create(W3CTraceContextPropagator.getInstance())));
        try (TestDatabase test = TestDatabase.create().withProjects("vision")) {
            Database database = test.database();
            Machine traced = create(database);
            Machine other = create(database);
            try (Scope scope = Span.wrap(request).makeCurrent()) {
                database.run(sql -> spans.keep(sql, traced.id()));
            }
            database.run(sql -> spans.keep(sql, other.id()));
            SpanContext call = spans.in(
                    database, Command.ENSURE, traced, () -> Span.current().getSpanContext());
            assertEquals(TRACE, call.getTraceId());
            assertFalse(spans.in(
                            database,
                            Command.ENSURE,
                            other,
                            () -> Span.current().getSpanContext())
                    .isValid());
        }
    }

    private static Machine create(Database database) {
        Machines machines = new Machines(MachineRequestFixtures.SETTINGS);
        UUID id = MachineRequestFixtures.create(database, machines, MachineRequestFixtures.of("vision", "A100"));
        return database.transact(sql -> MachineRows.find(sql, id)).orElseThrow();
    }
}
