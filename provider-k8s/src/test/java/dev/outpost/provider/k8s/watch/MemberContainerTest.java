package dev.outpost.provider.k8s.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.MachineObjects;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.provider.k8s.reason.PodReasons;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.PodState;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MemberContainerTest {
    /** A running pod whose second container ran out of memory while the first one continues. */
    private static Pod pod() {
        return new PodBuilder(MachineObjects.running(MachineObjects.ID, true))
                .editSpec()
                .addToContainers(new ContainerBuilder()
                        .withName("machine-1")
                        .withPorts(new ContainerPortBuilder()
                                .withName("session-1")
                                .withContainerPort(50053)
                                .build())
                        .build())
                .endSpec()
                .editStatus()
                .addToContainerStatuses(new ContainerStatusBuilder()
                        .withName("machine-1")
                        .withReady(false)
                        .withNewState()
                        .withNewTerminated()
                        .withExitCode(137)
                        .withReason("OOMKilled")
                        .endTerminated()
                        .endState()
                        .build())
                .endStatus()
                .build();
    }

    private static PodState state(int rank) {
        return PodReasons.of(ObservedMachine.of(
                MachineObjects.job(), MemberContainer.only(pod(), rank), MachineObjects.CREATED.plusSeconds(60)));
    }

    @Test
    void aMemberIsJudgedByItsOwnContainer() {
        assertTrue(assertInstanceOf(PodState.Running.class, state(0)).ready());
        String reason = assertInstanceOf(PodState.Ended.class, state(1)).loss().reason();
        assertTrue(reason.contains("took more memory"), reason);
    }

    @Test
    void aMembersPortIsFoundByTheNameThatAMachineHas() {
        Pod second = MemberContainer.only(pod(), 1);
        assertEquals(1, second.getSpec().getContainers().size());
        assertEquals("machine", second.getSpec().getContainers().getFirst().getName());
        assertEquals(
                "session",
                second.getSpec()
                        .getContainers()
                        .getFirst()
                        .getPorts()
                        .getFirst()
                        .getName());
        assertEquals("machine-1", second.getMetadata().getAnnotations().get(MachineLabels.CONTAINER));
    }
}
