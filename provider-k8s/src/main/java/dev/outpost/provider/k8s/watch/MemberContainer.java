package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.k8s.desired.GroupState;
import dev.outpost.provider.k8s.desired.MachineLabels;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;

/** Presents one member of a group whose members are containers of one pod as the pod of a single machine. */
final class MemberContainer {
    private MemberContainer() {}

    /** Returns the pod with only this member's container. The container gets the name that a single machine's container has. */
    static Pod only(Pod pod, int rank) {
        String name = GroupState.container(rank);
        List<Container> containers = pod.getSpec().getContainers().stream()
                .filter(container -> container.getName().equals(name))
                .map(MemberContainer::alone)
                .toList();
        PodBuilder one = new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations(MachineLabels.CONTAINER, name)
                .endMetadata()
                .editSpec()
                .withContainers(containers)
                .endSpec();
        return pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null
                ? one.build()
                : one.editStatus()
                        .withContainerStatuses(statuses(pod, name))
                        .endStatus()
                        .build();
    }

    private static Container alone(Container container) {
        List<ContainerPort> ports = container.getPorts().stream()
                .map(port -> new ContainerPortBuilder(port)
                        .withName(port.getName().replaceFirst("-\\d+$", ""))
                        .build())
                .toList();
        return new ContainerBuilder(container)
                .withName(GroupState.container(0))
                .withPorts(ports)
                .build();
    }

    private static List<ContainerStatus> statuses(Pod pod, String name) {
        return pod.getStatus().getContainerStatuses().stream()
                .filter(status -> status.getName().equals(name))
                .map(status -> new ContainerStatusBuilder(status)
                        .withName(GroupState.container(0))
                        .build())
                .toList();
    }
}
