package dev.outpost.provider.outpost;

import dev.outpost.channel.Trust;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.MachineSpec;
import io.smallrye.mutiny.Uni;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The machine of a job, beside which the job's program runs. The backend ends the machine after the program. So a
 * release does nothing, and the program can request the machine again.
 *
 * @param gpu the kind of GPU that the job requested
 */
record JobMachine(String job, String gpu, Endpoint.Remote endpoint) implements Lease {
    private static final String ANY = "any";

    /** Returns the machine of this process; empty if the process is not the program of a job. */
    static Optional<JobMachine> ofThisProcess(UnaryOperator<String> environment) {
        return Optional.ofNullable(environment.apply("OUTPOST_JOB_MACHINE")).map(address -> read(address, environment));
    }

    private static JobMachine read(String address, UnaryOperator<String> environment) {
        int colon = address.lastIndexOf(':');
        return new JobMachine(
                environment.apply("OUTPOST_JOB_ID"),
                environment.apply("OUTPOST_JOB_GPU"),
                new Endpoint.Remote(
                        address.substring(0, colon),
                        Integer.parseInt(address.substring(colon + 1)),
                        new Trust.Pin(environment.apply("OUTPOST_JOB_CERTIFICATE")),
                        environment.apply("OUTPOST_JOB_TOKEN")));
    }

    /** True if the job's machine has the GPU that a program requests. */
    boolean suits(MachineSpec spec) {
        return spec.gpu().name().equals(ANY) || spec.gpu().name().equals(gpu);
    }

    @Override
    public String id() {
        return "job-" + job;
    }

    @Override
    public Uni<MachineLoss> lost() {
        return Uni.createFrom().nothing();
    }

    @Override
    public boolean isWatched() {
        return false;
    }

    @Override
    public Uni<Void> release() {
        return Uni.createFrom().voidItem();
    }
}
