package dev.outpost.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.k8s.check.ClusterFinding;
import dev.outpost.provider.k8s.check.ClusterFinding.State;
import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.check.CheckResult;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ClusterChecksTest {
    private static final Supplier<List<ClusterFinding>> NOT_ASKED = () -> {
        throw new AssertionError("the cluster was asked");
    };

    @Test
    void withoutAKubeconfigNoClusterIsAsked() {
        List<CheckResult> skipped = List.of(CheckResult.skipped("cluster", "no kubeconfig leads to one"));
        assertEquals(skipped, ClusterChecks.run(CheckResult.absent("kubeconfig", "none", "write one"), NOT_ASKED));
        assertEquals(skipped, ClusterChecks.run(CheckResult.failed("kubeconfig", "broken", "mend it"), NOT_ASKED));
    }

    @Test
    void findingsAreShownWithTheirRemedy() {
        List<CheckResult> results = ClusterChecks.run(
                CheckResult.ok("kubeconfig", "context lab"),
                () -> List.of(new ClusterFinding("namespace", State.PROBLEM, "no such namespace: x", "Create it.")));
        assertEquals(List.of(CheckResult.failed("namespace", "no such namespace: x", "Create it.")), results);
    }

    @Test
    void onlyWhatKeepsMachinesFromStartingIsAFailure() {
        List<ClusterFinding> findings = Stream.of(State.values())
                .map(state -> new ClusterFinding("x", state, "", ""))
                .toList();
        assertEquals(
                List.of(CheckOutcome.OK, CheckOutcome.ABSENT, CheckOutcome.FAILED, CheckOutcome.SKIPPED),
                ClusterChecks.run(CheckResult.ok("kubeconfig", ""), () -> findings).stream()
                        .map(CheckResult::outcome)
                        .toList());
    }
}
