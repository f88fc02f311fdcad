package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.fleet.MachineBounds;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the pods to which the elements of a user's patch apply. */
public final class PatchCoverage {
    private static final String ID = "outpost-check";

    private PatchCoverage() {}

    /**
     * Returns the elements of the patch that some pods lack, such as {@code container job}, each with the kinds of
     * pods that have it. An element without such a kind applies to no pod at all.
     *
     * @param config settings without alternatives, because some pods with alternatives exist only with claims
     */
    public static Map<String, List<String>> partial(KubernetesConfig config) {
        Map<String, List<String>> skipped = new LinkedHashMap<>();
        config.patch()
                .ifPresent(patch ->
                        jobs(config).forEach((kind, job) -> skipped.put(kind, JobPatch.skipped(job, patch))));
        Set<String> elements = new LinkedHashSet<>();
        skipped.values().forEach(elements::addAll);
        Map<String, List<String>> partial = new LinkedHashMap<>();
        elements.forEach(element -> partial.put(
                element,
                skipped.entrySet().stream()
                        .filter(entry -> entry.getValue().stream().noneMatch(lacking -> isIn(element, lacking)))
                        .map(Map.Entry::getKey)
                        .toList()));
        return partial;
    }

    /** Returns true if an element is skipped as a part of a skipped one, such as a mount of a skipped container. */
    private static boolean isIn(String element, String skipped) {
        return element.equals(skipped) || element.endsWith(" of " + skipped);
    }

    private static Map<String, Job> jobs(KubernetesConfig config) {
        KubernetesMachineSpec machine = request(config, new LifetimePolicy.ClientLease());
        JobRun run = new JobRun(URI.create("https://backend"), "token", Optional.empty());
        LifetimePolicy ofJob =
                new LifetimePolicy.Controlled("check", MachineBounds.NONE, List.of(), Map.of(), Optional.of(run));
        Map<String, Job> jobs = new LinkedHashMap<>();
        jobs.put("single machines", MachineJob.of(machine));
        jobs.put("machines of jobs", MachineJob.of(request(config, ofJob)));
        jobs.put("groups", GroupState.unpatched(new GroupRequest(machine, 2, false)));
        jobs.put(
                "groups on one node", GroupState.unpatched(new GroupRequest(machine, GroupRequest.MAX_IN_A_POD, true)));
        return jobs;
    }

    /**
     * Makes a sample request. The allocation does not matter, because the parts that a patch can name are the same
     * for both.
     */
    private static KubernetesMachineSpec request(KubernetesConfig config, LifetimePolicy lifetime) {
        return new KubernetesMachineSpec(ID, GpuType.ANY, lifetime, "", config, GpuAllocation.EXTENDED_RESOURCE);
    }
}
