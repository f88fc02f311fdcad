package dev.outpost.provider.k8s.reason;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.PodState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("quick")
class PodReasonsTest {
    private static final List<String> RUNNING =
            List.of("running", "running-not-ready", "running-after-troubles", "preemption-called-off", "unanswered");

    static List<PodCase> cases() {
        return PodCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyStateHasASentence(PodCase expected) {
        ObservedMachine observed = Fixture.read(expected.fixture());
        assertEquals(
                Optional.of(new Finding(expected.symptom(), expected.outcome(), expected.what())),
                PodReasons.finding(observed));
        assertEquals(state(expected), PodReasons.of(observed));
    }

    private static PodState state(PodCase expected) {
        MachinePhase phase = expected.symptom().phase();
        return switch (expected.outcome()) {
            case GOES_ON -> new PodState.Coming(phase, expected.what());
            case WAITS -> new PodState.Stuck(phase, expected.sentence());
            case FINAL -> new PodState.Refused(expected.sentence());
            case ENDS -> new PodState.Ended(MachineLoss.failed(expected.sentence()));
            case ENDS_IDLE -> new PodState.Ended(new MachineLoss(MachineLoss.Cause.IDLE, expected.sentence()));
            case FINAL_WHEN_REPEATED, RETRIED, RETRIED_ONCE, RETRIED_BRIEFLY ->
                throw new IllegalArgumentException("no pod is followed by " + expected.outcome());
        };
    }

    /** Like the pod of a foreign image: it runs, and nothing answers at the port of its probes. */
    @Test
    void containerThatDoesNotAnswerNamesTheProbe() {
        assertEquals(
                "starting the runtime; its startup probe fails: Get \"https://10.1.0.7:50052/q/health/started\": dial"
                        + " tcp 10.1.0.7:50052: connect: connection refused",
                PodReasons.starting(Fixture.read("unanswered")));
        assertEquals("starting the runtime", PodReasons.starting(Fixture.read("running-not-ready")));
    }

    @Test
    void noObservationMeansQueued() {
        ObservedMachine nothing = ObservedMachine.of(null, null, Fixture.NOW);
        assertEquals(new PodState.Coming(MachinePhase.QUEUED, "waiting for the Job"), PodReasons.of(nothing));
    }

    @Test
    void aContainerThatRunsIsRunning() {
        PodState ready = new PodState.Running("10.1.0.7", "gpu-node-1", true);
        assertEquals(ready, PodReasons.of(Fixture.read("running")));
        assertEquals(
                new PodState.Running("10.1.0.7", "gpu-node-1", false),
                PodReasons.of(Fixture.read("running-not-ready")));
        assertEquals(ready, PodReasons.of(Fixture.read("running-after-troubles")));
        assertEquals(ready, PodReasons.of(Fixture.read("preemption-called-off")));
    }

    @Test
    void aPodThatIsGoneWasLostForTheReasonThatWasSeenLast() {
        assertEquals(
                "preempted: default-scheduler: preempting to accommodate a higher priority pod."
                        + " Start again, or give machines a higher outpost.k8s.priority-class.",
                PodReasons.gone(Fixture.read("preempted")).reason());
        assertEquals(
                MachineLoss.Cause.IDLE, PodReasons.gone(Fixture.read("idle")).cause());
        assertEquals(
                "the node gpu-node-1 refused the pod: OutOfnvidia.com/gpu: Node didn't have enough resource:"
                        + " nvidia.com/gpu, requested: 1, used: 1, capacity: 1. Try again: another pod is"
                        + " scheduled anew.",
                PodReasons.gone(Fixture.read("node-refused")).reason());
    }

    @Test
    void aPodThatIsGoneWithoutAReasonWasDeleted() {
        String deleted = "the pod was deleted. Start again; the audit log of the cluster names the user.";
        assertEquals(deleted, PodReasons.gone(Fixture.read("running")).reason());
        assertEquals(deleted, PodReasons.gone(Fixture.read("gpus-taken")).reason());
    }

    /** A file that no test reads would look tested. */
    @Test
    void everyFixtureIsRead() throws IOException {
        Set<String> read = PodCase.all().stream().map(PodCase::fixture).collect(Collectors.toCollection(TreeSet::new));
        read.addAll(RUNNING);
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/pods"))) {
            assertEquals(
                    files.map(file -> file.getFileName().toString().replace(".yaml", ""))
                            .collect(Collectors.toCollection(TreeSet::new)),
                    read);
        }
    }
}
