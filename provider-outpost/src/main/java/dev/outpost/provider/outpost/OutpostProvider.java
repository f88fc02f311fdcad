package dev.outpost.provider.outpost;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.support.CancellableTask;
import dev.outpost.provider.support.MonotonicProgress;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.rest.client.MachinesApi;
import dev.outpost.rest.machine.PlanView;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.smallrye.mutiny.Uni;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Machines of a backend. The client draws the machine's id, so that the request can be repeated, and the machine's token, of which the
 * backend gets only the hash. Computations never pass through the backend.
 */
public final class OutpostProvider implements GpuProvider {
    private final Supplier<BackendAccess> access;
    private final SecureRandom random = new SecureRandom();

    /** Uses the backend that this process is configured with; see {@link BackendAccess#configured}. */
    public OutpostProvider() {
        this(BackendAccess::configured);
    }

    public OutpostProvider(Supplier<BackendAccess> access) {
        this.access = access;
    }

    @Override
    public String name() {
        return "outpost";
    }

    @Override
    public void validate(MachineSpec spec) {
        MachineRequestOptions.of(spec);
        if (own(spec).isEmpty()) {
            access.get();
        }
    }

    @Override
    public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
        Optional<JobMachine> own = own(spec);
        return own.isPresent()
                ? Uni.createFrom().item(own.get())
                : CancellableTask.uni("outpost-start", task -> traced(spec, task, new MonotonicProgress(progress)));
    }

    /**
     * Asks a backend how it would decide a request, without making the request. The request is that of
     * {@code RemoteMachine.of("outpost", gpu)} with these options, or that of a machine with a stated life.
     *
     * @param options the options of {@code MachineOptions.option}: project, lease, idle
     * @param life the lifetime of a machine that needs no client; null for one that ends with its client
     * @throws IllegalArgumentException if an option is unknown or malformed
     * @throws BackendException if the backend refuses, or does not answer
     */
    public static PlanView plan(
            BackendClient client, String gpu, Map<String, String> options, @Nullable Duration life) {
        return new MachinesApi(client)
                .plan(MachineRequestOptions.of(gpu, options).plan(life));
    }

    /**
     * Returns the machine beside which this process runs, if it is the program of a job; other machines are requested
     * from the backend.
     */
    private static Optional<JobMachine> own(MachineSpec spec) {
        return JobMachine.ofThisProcess(System::getenv).filter(machine -> machine.suits(spec));
    }

    /** Requests the machine in a span, if the program uses OpenTelemetry. The backend continues the trace. */
    private Lease traced(MachineSpec spec, CancellableTask<?> task, MonotonicProgress steps) {
        Span span = GlobalOpenTelemetry.getOrNoop()
                .getTracer("dev.outpost")
                .spanBuilder("outpost start machine")
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute("outpost.gpu", spec.gpu().name())
                .startSpan();
        try (Scope scope = span.makeCurrent()) {
            return provide(spec, task, steps);
        } catch (RuntimeException failure) {
            span.recordException(failure).setStatus(StatusCode.ERROR);
            throw failure;
        } finally {
            span.end();
        }
    }

    private Lease provide(MachineSpec spec, CancellableTask<?> task, MonotonicProgress steps) {
        MachineToken token = MachineToken.draw(random);
        MachineCalls machine = BackendMachines.newMachine(access, spec, task, steps);
        RemoteState asked = machine.put(MachineRequestOptions.of(spec).ofClient(token));
        RemoteState ready = machine.awaitReady(asked, steps);
        steps.report(MachinePhase.READY, "ready");
        return BackendLease.owning(machine, ready, token);
    }

    @Override
    public Uni<Lease> takeOver(String text, MachineSpec spec, Consumer<ProvisioningStep> progress) {
        String[] parts = text.split(BackendLease.TRANSFER, 2);
        if (parts.length != 2) {
            return Uni.createFrom().failure(() -> new IllegalArgumentException("outpost: the key names no machine"));
        }
        return CancellableTask.uni(
                "outpost-attach",
                () -> new BackendMachines(access, random)
                        .takeOver(parts[0], new MachineToken(parts[1]), new MonotonicProgress(progress)));
    }

    @Override
    public Optional<MachineKeeper> keeper() {
        return Optional.of(new BackendMachines(access, random));
    }
}
