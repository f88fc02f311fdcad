package dev.outpost.cli.doctor;

import dev.outpost.provider.k8s.check.ClusterFinding;
import dev.outpost.provider.k8s.check.ConfiguredCluster;
import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.check.CheckResult;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Checks the cluster of the kubeconfig. */
public final class ClusterChecks {
    private ClusterChecks() {}

    /**
     * Asks the cluster for its GPUs and for the permissions of this user.
     *
     * @param kubeconfig the result of {@link KubernetesCheck}; without access to a cluster, no cluster is asked
     */
    public static List<CheckResult> run(CheckResult kubeconfig) {
        return run(kubeconfig, ConfiguredCluster::check);
    }

    static List<CheckResult> run(CheckResult kubeconfig, Supplier<List<ClusterFinding>> cluster) {
        return switch (kubeconfig.outcome()) {
            case OK -> cluster.get().stream().map(ClusterChecks::result).toList();
            case ABSENT, SKIPPED, FAILED -> List.of(CheckResult.skipped("cluster", "no kubeconfig leads to one"));
        };
    }

    private static CheckResult result(ClusterFinding finding) {
        return new CheckResult(
                finding.what(), outcome(finding.state()), finding.sentence(), finding.remedy(), Map.of(), List.of());
    }

    /** Returns the outcome of a finding. Only a finding that prevents machines from starting is a failure. */
    private static CheckOutcome outcome(ClusterFinding.State state) {
        return switch (state) {
            case OK -> CheckOutcome.OK;
            case WARNING -> CheckOutcome.ABSENT;
            case PROBLEM -> CheckOutcome.FAILED;
            case UNKNOWN -> CheckOutcome.SKIPPED;
        };
    }
}
