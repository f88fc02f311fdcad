package dev.outpost.provider.fleet;

import dev.outpost.provider.GpuType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The description of a machine that a fleet should run.
 *
 * @param machine its name
 * @param gpu the kind of GPU
 * @param gpuCount the number of GPUs, 1 or more
 * @param bounds its memory and lifetime
 * @param grants the grants that it has from the start; may be empty, see {@link MachineFleet#bind}
 * @param labels the caller's labels, returned in each {@link MachineObservation}: keys of 1 to 40 lower-case letters, digits and inner
 *     dashes, values of up to 200 printable characters
 * @param options the supplier's own options, with the same names as for {@link dev.outpost.provider.GpuProvider}
 * @param job the runner that is started beside the machine; empty for none
 */
public record DesiredMachine(
        MachineRef machine,
        GpuType gpu,
        int gpuCount,
        MachineBounds bounds,
        List<Grant> grants,
        Map<String, String> labels,
        Map<String, String> options,
        Optional<JobRun> job) {
    private static final Pattern KEY = Pattern.compile("[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?");
    private static final Pattern VALUE = Pattern.compile("\\P{Cntrl}{0,200}");

    public DesiredMachine {
        Objects.requireNonNull(machine, "machine");
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(bounds, "bounds");
        if (gpuCount < 1) {
            throw new IllegalArgumentException("gpuCount: expected 1 or more, got " + gpuCount);
        }
        grants = List.copyOf(grants);
        labels = Map.copyOf(labels);
        options = Map.copyOf(options);
        Objects.requireNonNull(job, "job");
        labels.forEach(DesiredMachine::requireLabel);
    }

    /** Describes a machine with one GPU, without bounds, labels or options. */
    public static DesiredMachine of(MachineRef machine, GpuType gpu, Grant... grants) {
        return new DesiredMachine(
                machine, gpu, 1, MachineBounds.NONE, List.of(grants), Map.of(), Map.of(), Optional.empty());
    }

    public DesiredMachine withBounds(MachineBounds newBounds) {
        return new DesiredMachine(machine, gpu, gpuCount, newBounds, grants, labels, options, job);
    }

    public DesiredMachine withLabels(Map<String, String> newLabels) {
        return new DesiredMachine(machine, gpu, gpuCount, bounds, grants, newLabels, options, job);
    }

    public DesiredMachine withOptions(Map<String, String> newOptions) {
        return new DesiredMachine(machine, gpu, gpuCount, bounds, grants, labels, newOptions, job);
    }

    public DesiredMachine withJob(JobRun newJob) {
        return new DesiredMachine(machine, gpu, gpuCount, bounds, grants, labels, options, Optional.of(newJob));
    }

    /** Returns the kind of owner that its labels name: the operator, a tenant, a pool or the caller. */
    public Tenancy tenancy() {
        return Tenancy.of(labels);
    }

    /**
     * Returns the organisation that owns it, from its labels. Empty for a machine of a pool or without an
     * organisation.
     */
    public Optional<String> organisation() {
        return switch (tenancy()) {
            case OPERATOR, TENANT -> Optional.ofNullable(labels.get(Tenancy.ORGANISATION_LABEL));
            case OWN, POOL -> Optional.empty();
        };
    }

    private static void requireLabel(String key, String value) {
        if (!KEY.matcher(key).matches()) {
            throw new IllegalArgumentException(
                    "label: expected a key of 1 to 40 lower-case letters, digits and inner dashes, got \"" + key
                            + "\"");
        }
        if (!VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException("label " + key + ": expected up to 200 printable characters, got "
                    + value.length() + " characters");
        }
    }
}
